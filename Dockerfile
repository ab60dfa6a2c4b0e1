# PostgreSQL with gid, from the official image.  It has not been run where it
# was written, for want of Docker.
#
#	docker build -t postgres-gid --build-arg PG_MAJOR=18 .
#	docker run --name ids -e POSTGRES_PASSWORD=secret -d postgres-gid
#	docker exec -it ids psql -U postgres -c 'CREATE EXTENSION gid'

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
