module gid

go 1.19
