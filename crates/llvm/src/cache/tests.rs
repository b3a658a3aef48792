//! Tests of the cache of lowered programs.

use super::*;

const TEXT: &str = "define i32 @main() {\n  ret i32 7\n}\ndeclare void @gone()\n";

/// A folder of its own for each test, removed afterwards.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> TestFolder {
        let path = std::env::temp_dir().join(format!("everett-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        TestFolder(path)
    }

    fn input(&self) -> Vec<PathBuf> {
        let path = self.0.join("input.ll");
        std::fs::write(&path, TEXT).unwrap();
        vec![path]
    }

    fn entries(&self) -> Vec<PathBuf> {
        let found = std::fs::read_dir(self.0.join("cache")).unwrap();
        found.map(|entry| entry.unwrap().path()).collect()
    }

    fn load(&self, options: &LoadOptions) -> LoadedProgram {
        load_cached(&self.input(), options, &self.0.join("cache")).unwrap()
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn second_load_comes_from_the_cache() {
    let folder = TestFolder::new("second");
    let first = folder.load(&LoadOptions::default());
    let entries = folder.entries();
    assert_eq!(entries.len(), 1);
    // Put another program in: if it comes back, the entry was used.
    let mut other = first.clone();
    other.program.target.triple = "from the cache".into();
    other.warnings = vec!["one".into(), "two".into()];
    std::fs::write(&entries[0], encode(&other)).unwrap();
    let second = folder.load(&LoadOptions::default());
    assert_eq!(second.program.target.triple, "from the cache");
    assert_eq!(second.warnings, ["one", "two"]);
    assert_eq!(second.undefined, first.undefined);
}

#[test]
fn look_up_finds_only_sound_entries() {
    let folder = TestFolder::new("look-up");
    let options = LoadOptions::default();
    let find = || look_up(&folder.input(), &options, &folder.0.join("cache")).unwrap();
    assert!(find().is_none());
    let loaded = folder.load(&options);
    assert_eq!(find().map(|found| found.program), Some(loaded.program));
    std::fs::write(&folder.entries()[0], "damaged").unwrap();
    assert!(find().is_none());
}

#[test]
fn damaged_entry_is_reported_and_replaced() {
    let folder = TestFolder::new("damaged");
    let first = folder.load(&LoadOptions::default());
    let entry = folder.entries().remove(0);
    let good = std::fs::read(&entry).unwrap();
    for damage in [&good[..10], b"", &[good.as_slice(), b"x"].concat()] {
        std::fs::write(&entry, damage).unwrap();
        let again = folder.load(&LoadOptions::default());
        assert_eq!(again.program, first.program);
        assert!(again.warnings[0].contains("was damaged"), "{:?}", again.warnings);
        assert_eq!(std::fs::read(&entry).unwrap(), good);
    }
}

#[test]
fn options_are_part_of_the_key() {
    let folder = TestFolder::new("options");
    folder.load(&LoadOptions::default());
    folder.load(&LoadOptions { provided: vec!["gone".into()], ..LoadOptions::default() });
    assert_eq!(folder.entries().len(), 2);
}

#[test]
fn cache_that_cannot_be_written_is_a_warning() {
    let folder = TestFolder::new("unwritable");
    let file = folder.0.join("file");
    std::fs::write(&file, "").unwrap();
    let loaded = load_cached(&folder.input(), &LoadOptions::default(), &file).unwrap();
    assert!(loaded.warnings[0].contains("cannot write"), "{:?}", loaded.warnings);
}

#[test]
fn oldest_entries_are_evicted() {
    let folder = TestFolder::new("evict");
    let names = ["a", "b", "c"].map(|name| folder.0.join(format!("{name}.{SUFFIX}")));
    for (age, name) in (0u64..).zip(&names) {
        let file = std::fs::File::create(name).unwrap();
        file.set_len(100).unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1000 + age);
        file.set_modified(time).unwrap();
    }
    evict(&folder.0, &names[0], 200).unwrap();
    assert_eq!(names.map(|name| name.exists()), [true, false, true]);
}
