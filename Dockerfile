# PostgreSQL with gid, from the official image.
#
#	docker build -t postgres-gid --build-arg PG_MAJOR=18 .
#
# script/package builds it as well, from an image that it makes of a Debian.

ARG PG_MAJOR=18

FROM postgres:${PG_MAJOR} AS build
ARG PG_MAJOR
RUN apt-get update \
	&& apt-get install -y --no-install-recommends gcc libc6-dev make "postgresql-server-dev-${PG_MAJOR}"
WORKDIR /gid
COPY . .
# What is not needed to run stays behind in this stage.
RUN make PG_CONFIG="/usr/lib/postgresql/${PG_MAJOR}/bin/pg_config" DESTDIR=/installed install

FROM postgres:${PG_MAJOR}
COPY --from=build /installed/ /
