#!/usr/bin/env python3
"""A quick look at Cargo.lock by the rules of deny.toml, without a tool that would have to be compiled first.

    tools/crates.py [CARGO.LOCK]

It checks that each crate comes from the registry named there and has a hash, that no banned crate is used, and that no crate is
used in two versions unless this is allowed. The house test (tests/tests/it/house.rs) checks the licences. `make audit` checks all
of this and the security advisories with cargo-deny.
"""
import collections
import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]


def breaches(lock, rules):
    """What does not hold, in words."""
    registries = {f"registry+{place}" for place in rules["sources"]["allow-registry"]}
    versions, said = collections.defaultdict(set), []
    for package in lock["package"]:
        name = f"{package['name']} {package['version']}"
        versions[package["name"]].add(package["version"])
        if "source" not in package:
            continue
        if package["source"] not in registries:
            said.append(f"{name} comes from {package['source']}, which deny.toml does not allow")
        elif "checksum" not in package:
            said.append(f"{name} has no checksum in Cargo.lock")
    for rule in rules["bans"]["deny"]:
        crate, found = rule["crate"], sorted(versions.get(rule["crate"], ()))
        if rule.get("deny-multiple-versions"):
            if len(found) > 1:
                said.append(f"{crate} is there as {' and '.join(found)}: {rule['reason']}")
        elif found:
            said.append(f"{crate} {', '.join(found)} is kept out: {rule['reason']}")
    return said


def main():
    lock = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else ROOT / "Cargo.lock"
    found = tomllib.loads(lock.read_text())
    said = breaches(found, tomllib.loads((ROOT / "deny.toml").read_text()))
    if said:
        sys.exit("\n".join(said) + f"\nhint: choose other crates, or change deny.toml and say why ({lock})")
    print(f"{len(found['package'])} packages: from where they may come, none that is kept out")


if __name__ == "__main__":
    main()
