// Files, folders, buffered reading and errors of the system.
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};

fn run() -> io::Result<()> {
    let folder = std::env::temp_dir().join(format!("everett-{}", std::process::id()));
    fs::create_dir_all(folder.join("a/b"))?;
    let path = folder.join("a/notes.txt");
    fs::write(&path, "one\ntwo\nthree")?;
    OpenOptions::new().append(true).open(&path)?.write_all(b"\nfour\n")?;
    let lines: Vec<String> = BufReader::new(File::open(&path)?).lines().collect::<Result<_, _>>()?;
    println!("{lines:?} {}", fs::metadata(&path)?.len());
    let mut file = File::open(&path)?;
    file.seek(SeekFrom::End(-5))?;
    let mut rest = String::new();
    file.read_to_string(&mut rest)?;
    println!("{rest:?}");
    fs::rename(&path, folder.join("a/b/moved"))?;
    let entries = fs::read_dir(folder.join("a/b"))?;
    let names: Vec<_> = entries.map(|entry| entry.map(|e| e.file_name())).collect::<Result<_, _>>()?;
    println!("{names:?}");
    fs::remove_dir_all(&folder)?;
    println!("{:?}", File::open(&path).map(|_| ()).map_err(|error| error.kind()));
    println!("{}", fs::read_to_string("/no/such/file").unwrap_err());
    Err(io::Error::new(io::ErrorKind::Other, "the end"))
}

fn main() {
    if let Err(error) = run() {
        println!("{error}");
        std::process::exit(3);
    }
}
