# Two commands: `make run` shows what Reticent does, `make test` is the whole check.
CARGO ?= cargo

.PHONY: run test nightly bench fmt

run:
	$(CARGO) run --release --locked -p reticent -- tour

test:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --quiet
	$(CARGO) test --workspace --locked

# Fresh seeds and more cases: a correct program fails one statistical test in a million runs of it.
nightly:
	RETICENT_TEST_SEED=$$(od -An -N7 -tu8 /dev/urandom | tr -d ' ') PROPTEST_CASES=5000 $(CARGO) test --workspace --locked

bench:
	$(CARGO) bench --workspace --locked

fmt:
	$(CARGO) fmt --all
