# Two commands: `make run` shows what Reticent does, `make test` is the whole check.
CARGO ?= cargo

.PHONY: run test fuzz deny dist nightly bench compare fmt

run:
	@echo "building first: several minutes the first time, seconds after that; then the service with made-up people" >&2
	$(CARGO) run --release --locked -p reticent-cli -- demo

test:
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path fuzz/Cargo.toml --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --quiet
	$(CARGO) test --workspace --locked
	$(MAKE) fuzz

# Coverage-guided fuzzing of every reader of outside bytes and text, on the stable toolchain: libFuzzer needs LLVM's
# instrumentation and no more.
FUZZ_SECONDS ?=
# The same inputs in every check of a clean checkout, on every machine: so many for each target, unless FUZZ_SECONDS
# says how long. Seed 0 draws fresh ones, as `make nightly` does.
FUZZ_SEED ?= 1
FUZZ_INPUTS := wire=400000 files=4000
FUZZ_HOST := $(shell rustc -vV | sed -n 's/^host: //p')
FUZZ_FLAGS := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
	-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing
fuzz:
	RUSTFLAGS="$(FUZZ_FLAGS)" $(CARGO) build --release --locked --manifest-path fuzz/Cargo.toml --target $(FUZZ_HOST)
	@for each in $(FUZZ_INPUTS); do \
		target=$${each%=*}; limit=$(if $(FUZZ_SECONDS),-max_total_time=$(FUZZ_SECONDS),-runs=$${each#*=}); \
		mkdir -p fuzz/target/corpus-$$target; \
		fuzz/target/$(FUZZ_HOST)/release/$$target -seed=$(FUZZ_SEED) $$limit -print_final_stats=1 -max_len=512 \
			-artifact_prefix=fuzz/target/ fuzz/target/corpus-$$target fuzz/seeds/$$target 2> fuzz/target/$$target.log \
			|| { tail -50 fuzz/target/$$target.log; exit 1; }; \
		echo "fuzzing $$target found nothing: $$(sed -n 's/^stat::number_of_executed_units: *//p' fuzz/target/$$target.log) inputs"; \
	done

# Licences, sources, duplicate versions and, where the advisory database can be had, known vulnerabilities. Installs `cargo-deny`
# if it is not there, which takes minutes: so it is no part of `make test`.
deny:
	$(CARGO) deny --version > /dev/null 2>&1 || $(CARGO) install --locked cargo-deny
	$(CARGO) deny --workspace check licenses sources bans
	$(CARGO) deny --workspace check advisories || echo "advisories: the database could not be had, or has findings (above)"

# One stripped binary to hand out.
dist:
	$(CARGO) build --profile dist --locked -p reticent-cli
	mkdir -p out && cp target/dist/reticent out/reticent
	@ls -l out/reticent

# Fresh seeds and more cases: a correct program fails one statistical test in a million runs of it.
nightly:
	RETICENT_TEST_SEED=$$(od -An -N7 -tu8 /dev/urandom | tr -d ' ') PROPTEST_CASES=5000 $(CARGO) test --workspace --locked
	$(MAKE) fuzz FUZZ_SECONDS=300 FUZZ_SEED=0

bench:
	$(CARGO) bench --workspace --locked

# Beside floating-point noise and OpenDP's, outside the workspace.
compare:
	$(CARGO) bench --manifest-path compare/Cargo.toml --locked

fmt:
	$(CARGO) fmt --all
