# One door for everything. A first call sets up .venv from the lock files; later calls find it done.
.PHONY: setup demo test check fast lock

setup:
	@scripts/setup

demo: setup
	@scripts/run elicitkit demo

test: setup
	@scripts/test

check: setup
	@scripts/check

fast: setup
	@scripts/fast

lock: setup
	@scripts/lock
