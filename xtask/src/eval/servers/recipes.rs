//! How the servers and clients are built: the distribution's sources, their own configure and make.
//!
//! Nothing of a source is changed. Parts that need another library are left out by the flags of
//! configure, as `everett cc` links no libraries of the host; libevent, without which there is no
//! memcached, is built in the same way first.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::eval::build::{in_source, logged};
use crate::process::{heading, now};
use crate::source_package::{Package, provide};

/// How a package is built.
pub(super) struct Recipe {
    package: Package,
    /// Files that the package asks its user to write, with their contents.
    files: &'static [(&'static str, &'static str)],
    /// Command lines in the folder of the source. `@CC@` stands for the compiler, `@PREFIX@` for the folder
    /// that libraries are installed in, and `@JOBS@` for the number of processors.
    steps: &'static [&'static [&'static str]],
    /// The executable, if one is used.
    product: Option<&'static str>,
}

const LIBEVENT: Recipe = Recipe {
    package: Package {
        name: "libevent",
        archive: "libevent_2.1.12-stable.orig.tar.gz",
        folder: "libevent-2.1.12-stable",
        sha256: "92e6de1be9ec176428fd2367677e61ceffc2ee1cb119035037a27d346b0403bb",
        places: &[
            "https://deb.debian.org/debian/pool/main/libe/libevent/libevent_2.1.12-stable.orig.tar.gz",
        ],
    },
    files: &[],
    steps: &[
        &[
            "./configure",
            "CC=@CC@",
            "--prefix=@PREFIX@",
            "--disable-shared",
            "--disable-openssl",
            "--disable-samples",
            "--disable-libevent-regress",
        ],
        &["make", "@JOBS@"],
        &["make", "install"],
    ],
    product: None,
};

const MEMCACHED: Recipe = Recipe {
    package: Package {
        name: "memcached",
        archive: "memcached_1.6.18.orig.tar.xz",
        folder: "memcached-1.6.18",
        sha256: "35872bd25f8d29d7cc2072d23e74344530891bfd0aa4f4f64184a8ae7291164b",
        places: &[
            "https://deb.debian.org/debian/pool/main/m/memcached/memcached_1.6.18.orig.tar.xz",
        ],
    },
    files: &[],
    steps: &[
        &["./configure", "CC=@CC@", "--with-libevent=@PREFIX@"],
        &["make", "@JOBS@", "memcached"],
    ],
    product: Some("memcached"),
};

const REDIS: Recipe = Recipe {
    package: Package {
        name: "redis",
        archive: "redis_7.0.15.orig.tar.gz",
        folder: "redis-7.0.15",
        sha256: "4b1dc4ee6d622a09fff9c6777191209750fb5e5a725ef78ea012d6eef4c22982",
        places: &["https://deb.debian.org/debian/pool/main/r/redis/redis_7.0.15.orig.tar.gz"],
    },
    files: &[],
    steps: &[&["make", "@JOBS@", "CC=@CC@", "MALLOC=libc", "BUILD_TLS=no", "USE_SYSTEMD=no"]],
    product: Some("src/redis-server"),
};

const NGINX: Recipe = Recipe {
    package: Package {
        name: "nginx",
        archive: "nginx_1.22.1.orig.tar.gz",
        folder: "nginx-1.22.1",
        sha256: "9ebb333a9e82b952acd3e2b4aeb1d4ff6406f72491bab6cd9fe69f0dea737f31",
        places: &["https://deb.debian.org/debian/pool/main/n/nginx/nginx_1.22.1.orig.tar.gz"],
    },
    files: &[],
    steps: &[
        &[
            "./configure",
            "--with-cc=@CC@",
            "--without-http_rewrite_module",
            "--without-http_gzip_module",
        ],
        &["make", "@JOBS@"],
    ],
    product: Some("objs/nginx"),
};

const LIGHTTPD: Recipe = Recipe {
    package: Package {
        name: "lighttpd",
        archive: "lighttpd_1.4.69.orig.tar.xz",
        folder: "lighttpd-1.4.69",
        sha256: "16ac8db95e719629ba61949b99f8a26feba946a81d185215b28379bb4116b0b4",
        places: &["https://deb.debian.org/debian/pool/main/l/lighttpd/lighttpd_1.4.69.orig.tar.xz"],
    },
    // A static build wants the list of its plugins here (INSTALL, "static build using make"). Those that its
    // makefile compiles in have to be in it.
    files: &[("src/plugin-static.h", PLUGINS)],
    steps: &[
        &[
            "./configure",
            "CC=@CC@",
            "LIGHTTPD_STATIC=yes",
            "--disable-shared",
            "--enable-static",
            "--without-pcre2",
            "--without-zlib",
            "--without-bzip2",
        ],
        &["make", "@JOBS@"],
    ],
    product: Some("src/lighttpd"),
};

const PLUGINS: &str = "PLUGIN_INIT(mod_access)\nPLUGIN_INIT(mod_accesslog)\nPLUGIN_INIT(mod_alias)\n\
    PLUGIN_INIT(mod_auth)\nPLUGIN_INIT(mod_authn_file)\nPLUGIN_INIT(mod_cgi)\n\
    PLUGIN_INIT(mod_dirlisting)\nPLUGIN_INIT(mod_evhost)\nPLUGIN_INIT(mod_expire)\n\
    PLUGIN_INIT(mod_fastcgi)\nPLUGIN_INIT(mod_indexfile)\nPLUGIN_INIT(mod_proxy)\n\
    PLUGIN_INIT(mod_redirect)\nPLUGIN_INIT(mod_rewrite)\nPLUGIN_INIT(mod_setenv)\n\
    PLUGIN_INIT(mod_simple_vhost)\nPLUGIN_INIT(mod_staticfile)\nPLUGIN_INIT(mod_status)\n\
    PLUGIN_INIT(mod_userdir)\nPLUGIN_INIT(mod_webdav)\n";

const DNSMASQ: Recipe = Recipe {
    package: Package {
        name: "dnsmasq",
        archive: "dnsmasq_2.90.orig.tar.xz",
        folder: "dnsmasq-2.90",
        sha256: "8e50309bd837bfec9649a812e066c09b6988b73d749b7d293c06c57d46a109e4",
        places: &["https://deb.debian.org/debian/pool/main/d/dnsmasq/dnsmasq_2.90.orig.tar.xz"],
    },
    files: &[],
    steps: &[&["make", "@JOBS@", "CC=@CC@"]],
    product: Some("src/dnsmasq"),
};

const CURL: Recipe = Recipe {
    package: Package {
        name: "curl",
        archive: "curl_7.88.1.orig.tar.gz",
        folder: "curl-7.88.1",
        sha256: "cdb38b72e36bc5d33d5b8810f8018ece1baa29a8f215b4495e495ded82bbf3c7",
        places: &["https://deb.debian.org/debian/pool/main/c/curl/curl_7.88.1.orig.tar.gz"],
    },
    files: &[],
    steps: &[
        &[
            "./configure",
            "CC=@CC@",
            "--disable-shared",
            "--disable-ldap",
            "--without-ssl",
            "--without-zlib",
            "--without-brotli",
            "--without-zstd",
            "--without-libpsl",
            "--without-libidn2",
        ],
        &["make", "@JOBS@"],
    ],
    product: Some("src/curl"),
};

const WGET: Recipe = Recipe {
    package: Package {
        name: "wget",
        archive: "wget_1.21.3.orig.tar.gz",
        folder: "wget-1.21.3",
        sha256: "5726bb8bc5ca0f6dc7110f6416e4bb7019e2d2ff5bf93d1ca2ffcc6656f220e5",
        places: &["https://deb.debian.org/debian/pool/main/w/wget/wget_1.21.3.orig.tar.gz"],
    },
    files: &[],
    steps: &[
        &[
            "./configure",
            "CC=@CC@",
            // It would find libraries of the host.
            "PKG_CONFIG=false",
            "--without-ssl",
            "--without-zlib",
            "--without-libpsl",
            "--without-libuuid",
            "--disable-nls",
            "--disable-iri",
            "--disable-pcre",
            "--disable-pcre2",
            "--disable-ntlm",
        ],
        &["make", "@JOBS@"],
    ],
    product: Some("src/wget"),
};

const SQLITE: Recipe = Recipe {
    package: Package {
        name: "sqlite3",
        archive: "sqlite3_3.40.1.orig.tar.xz",
        folder: "sqlite3-3.40.1",
        sha256: "aaa776260ab4dc976db34aa7891819484c8676b5b2783123ebc6301e2ca5d655",
        places: &["https://deb.debian.org/debian/pool/main/s/sqlite3/sqlite3_3.40.1.orig.tar.xz"],
    },
    files: &[],
    steps: &[
        &[
            "./configure",
            "CC=@CC@",
            "--disable-shared",
            "--disable-tcl",
            "--disable-readline",
            "--disable-load-extension",
        ],
        &["make", "@JOBS@", "sqlite3"],
    ],
    product: Some("sqlite3"),
};

/// The packages that a program is built from; the last one is its own.
pub(super) fn of(name: &str) -> Option<&'static [Recipe]> {
    Some(match name {
        "memcached" => &[LIBEVENT, MEMCACHED],
        "lighttpd" => &[LIGHTTPD],
        "redis" => &[REDIS],
        "nginx" => &[NGINX],
        "dnsmasq" => &[DNSMASQ],
        "curl" => &[CURL],
        "wget" => &[WGET],
        "sqlite3" => &[SQLITE],
        _ => return None,
    })
}

impl Recipe {
    /// Fetches and builds the package, if that is not done yet, and copies its executable to `home/bin`.
    pub(super) fn build(&self, everett: &Path, home: &Path, rebuild: bool) -> Result<()> {
        let source = home.join(self.package.folder);
        if rebuild {
            let _ = fs::remove_dir_all(&source);
        }
        provide(&[&self.package], home)?;
        let done = source.join("everett-built");
        if done.exists() {
            return Ok(());
        }
        heading(&format!("building {} with everett cc", self.package.folder));
        let start = now();
        let log = home.join(format!("{}.log", self.package.name));
        let _ = fs::remove_file(&log);
        for (name, text) in self.files {
            fs::write(source.join(name), text)?;
        }
        for step in self.steps {
            logged(&mut command(step, everett, home, &source), &log)?;
        }
        if let Some(product) = self.product {
            let product = source.join(product);
            let name = product.file_name().context("an executable has a name")?;
            fs::create_dir_all(home.join("bin"))?;
            fs::copy(&product, home.join("bin").join(name))
                .with_context(|| format!("no {} was made", product.display()))?;
        }
        File::create(&done)?;
        println!("{:.1} s", start.elapsed().as_secs_f64());
        Ok(())
    }
}

fn command(step: &[&str], everett: &Path, home: &Path, source: &Path) -> Command {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let filled = |word: &str| {
        word.replace("@CC@", &format!("{} cc", everett.display()))
            .replace("@PREFIX@", &home.join("prefix").display().to_string())
            .replace("@JOBS@", &format!("-j{jobs}"))
    };
    let mut command = in_source(everett, step[0], source);
    command.args(step[1..].iter().map(|word| filled(word)));
    command
}
