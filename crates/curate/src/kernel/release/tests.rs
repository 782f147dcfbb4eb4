//! Tests of the release.
