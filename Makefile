EXTENSION = gid
PGFILEDESC = "gid - sortable, typed 16-byte identifiers"

MODULE_big = gid
OBJS = \
	src/bound.o \
	src/brin.o \
	src/clock.o \
	src/codec.o \
	src/compare.o \
	src/convert.o \
	src/estimate.o \
	src/generator.o \
	src/gin.o \
	src/gist.o \
	src/io.o \
	src/kind.o \
	src/mint.o \
	src/module.o \
	src/parts.o \
	src/planner.o \
	src/planner_certain.o \
	src/planner_check.o \
	src/planner_lookup.o \
	src/samples.o \
	src/script.o \
	src/server_clock.o \
	src/settings.o \
	src/settled.o \
	src/sort.o \
	src/typmod.o \
	src/within.o

# The first version, and the updates from each version to the next.
DATA = $(notdir $(wildcard $(SOURCES)gid--*.sql))

# setup makes what all others use.  Each of them runs after it alone, in any
# order.
REGRESS = \
	setup \
	text \
	corrupt \
	binary \
	kind \
	declared \
	inspect \
	bounds \
	parts \
	order \
	mint \
	generator \
	uncovered \
	settings \
	index \
	skip \
	brin \
	gist \
	join \
	partition \
	monthly \
	time \
	within \
	planner \
	comparison \
	exists \
	moments \
	estimate \
	catalog \
	policy \
	extension

# specs/, several sessions at once.
ISOLATION = \
	unique \
	conflict \
	lock \
	serializable
ISOLATION_OPTS = --load-extension=gid

# Where the sources are: make can run in another folder, by "make -f .../Makefile".
# PGXS does not set VPATH if PostgreSQL was built in its own source folder.
SOURCES := $(dir $(firstword $(MAKEFILE_LIST)))
ifneq ($(abspath $(SOURCES)),$(CURDIR))
VPATH = $(SOURCES)
endif

# The version of the release, X.Y.Z: a patch changes C only.
DISTVERSION := $(shell sed -n 's/^    "version": "\(.*\)",/\1/p' $(SOURCES)META.json)
ifeq ($(DISTVERSION),)
$(error $(SOURCES)META.json has no version)
endif
PG_CPPFLAGS = -DGID_VERSION='"$(DISTVERSION)"'

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

$(OBJS) $(OBJS:.o=.bc): $(wildcard $(SOURCES)src/*.h) | $(CURDIR)/src
$(CURDIR)/src:
	mkdir -p $@

# The archive for PGXN, of what is committed.
.PHONY: dist
dist:
	git archive --format=zip --prefix=gid-$(DISTVERSION)/ -o gid-$(DISTVERSION).zip HEAD

# The tests in t/ start servers of their own, in a copy of PostgreSQL with a gid that is
# built there: what is installed is not changed.  script/test also installs packages.
.PHONY: prove_installcheck
prove_installcheck:
	cd $(abspath $(SOURCES)) && GID_INSTALL=no PG_CONFIG='$(bindir)/pg_config' script/env prove $(PROVE_FLAGS) $(or $(PROVE_TESTS),t/*.pl)
