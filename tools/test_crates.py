"""What the quick look at Cargo.lock finds: `python3 -m unittest discover -s tools`."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import crates  # noqa: E402  (found beside this file)

HOME = "registry+https://crates.example/index"
RULES = {
    "sources": {"allow-registry": ["https://crates.example/index"]},
    "bans": {"deny": [{"crate": "bad", "reason": "it is bad"}, {"crate": "one", "deny-multiple-versions": True, "reason": "one is enough"}]},
}


def package(name, version="1.0.0", source=HOME, checksum="aa"):
    entry = {"name": name, "version": version}
    return entry | ({"source": source} if source else {}) | ({"checksum": checksum} if checksum else {})


class Crates(unittest.TestCase):
    def said(self, *packages):
        return crates.breaches({"package": list(packages)}, RULES)

    def test_what_is_as_it_should_be_passes(self):
        ours = package("lexforge-a", source=None, checksum=None)
        self.assertEqual(self.said(ours, package("good"), package("good", "2.0.0"), package("one")), [])

    def test_each_breach_is_named_with_its_reason(self):
        for packages, words in [
            ([package("x", source="git+https://elsewhere.example/x", checksum=None)], "x 1.0.0 comes from git+https://elsewhere"),
            ([package("x", checksum=None)], "x 1.0.0 has no checksum"),
            ([package("bad")], "bad 1.0.0 is kept out: it is bad"),
            ([package("one"), package("one", "2.0.0")], "one is there as 1.0.0 and 2.0.0: one is enough"),
        ]:
            said = self.said(*packages)
            self.assertEqual(len(said), 1, said)
            self.assertTrue(said[0].startswith(words), said)


if __name__ == "__main__":
    unittest.main()
