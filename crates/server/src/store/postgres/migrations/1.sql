CREATE TABLE experiments (
    prefix bytea PRIMARY KEY,
    name text NOT NULL UNIQUE,
    entry text NOT NULL
);
-- How far each experiment has come. Whoever numbers reports or publishes holds the lock of its row.
CREATE TABLE marks (
    prefix bytea PRIMARY KEY REFERENCES experiments,
    phase smallint NOT NULL,
    appended bigint NOT NULL,
    folded bigint NOT NULL,
    oldest bigint NOT NULL,
    newest bigint NOT NULL,
    at bigint NOT NULL
);
-- A report's id lives as long as its policy is open.
CREATE TABLE ids (
    prefix bytea NOT NULL,
    policy bigint NOT NULL,
    id bytea NOT NULL,
    PRIMARY KEY (prefix, policy, id)
);
-- Reports that came together, under the number of the first.
CREATE TABLE reports (
    prefix bytea NOT NULL,
    first bigint NOT NULL,
    at bigint NOT NULL,
    segment bytea NOT NULL,
    PRIMARY KEY (prefix, first)
);
CREATE TABLE policies (
    prefix bytea NOT NULL,
    version bigint NOT NULL,
    at bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (prefix, version)
);
CREATE TABLE learned (
    prefix bytea PRIMARY KEY REFERENCES experiments,
    state bytea NOT NULL,
    insight bytea NOT NULL
);
CREATE TABLE keys (
    id text PRIMARY KEY,
    record text NOT NULL
);
CREATE TABLE deeds (
    number bigint PRIMARY KEY,
    deed text NOT NULL
);
CREATE TABLE journals (
    prefix bytea NOT NULL,
    name smallint NOT NULL,
    place bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (prefix, name, place)
);
CREATE TABLE leases (
    prefix bytea PRIMARY KEY,
    holder text NOT NULL,
    until timestamptz NOT NULL
);
