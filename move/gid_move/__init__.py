"""gid-move: moves a table's key, and everything that refers to it, to gid while the table is in use.

formats   which keys it can move, and the SQL that computes a gid from each
catalog   what depends on the key, as PostgreSQL's catalog has it
refusals  what cannot be moved
trees     which stored expressions would mean something else
programs  what functions and programs must write differently
names     how everything is called before and after the switch
keys      how one key is computed from the other
triggers  what keeps both keys up to date
rehearsal what PostgreSQL makes of each definition with the new type
plan      the SQL of each step
state     the schema gid_move, which remembers the steps that are done, and what must be the same afterwards
run       executes steps
cli       the commands
"""

__version__ = "0.9"
