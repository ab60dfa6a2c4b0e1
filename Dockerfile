# PostgreSQL with gid, from the official image.
#
#	docker build -t postgres-gid --build-arg PG_MAJOR=18 .
#
# Only the files of gid, to be mounted next to PostgreSQL 18 or later (doc/install.md).
#
#	docker build -t gid --target extension --build-arg PG_MAJOR=18 .
#
# script/package builds both, from an image that it makes of a Debian.

ARG PG_MAJOR=18

FROM postgres:${PG_MAJOR} AS build
ARG PG_MAJOR
RUN apt-get update \
	&& apt-get install -y --no-install-recommends gcc libc6-dev make "postgresql-server-dev-${PG_MAJOR}"
WORKDIR /gid
COPY . .
# What is not needed to run stays behind in this stage.
RUN make PG_CONFIG="/usr/lib/postgresql/${PG_MAJOR}/bin/pg_config" DESTDIR=/installed install

FROM scratch AS extension
ARG PG_MAJOR
COPY LICENSE /licenses/gid/
COPY --from=build /installed/usr/share/postgresql/${PG_MAJOR}/extension/ /share/extension/
COPY --from=build /installed/usr/lib/postgresql/${PG_MAJOR}/lib/gid.so /lib/

FROM postgres:${PG_MAJOR}
COPY --from=build /installed/ /
