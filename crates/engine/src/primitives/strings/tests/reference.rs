//! The plain loops: what each function does on concrete memory, byte by byte.

use everett_interp::BugKind;

use crate::primitives::strings::StringFunction as Function;

/// A place in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pointer {
    pub(super) object: usize,
    pub(super) at: u64,
}

/// The result of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Number(u64),
    Pointer(Pointer),
    Null,
    /// A new object with these bytes.
    Copy(Vec<u8>),
}

/// The end of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Value(Value),
    Bug(BugKind),
}

/// The content of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct World {
    pub(super) objects: Vec<Vec<u8>>,
}

type Step<T> = Result<T, BugKind>;

fn difference(x: u8, y: u8) -> Value {
    Value::Number(u64::from((i32::from(x) - i32::from(y)) as u32))
}

impl World {
    pub(super) fn call(
        &mut self,
        function: Function,
        a: Pointer,
        b: Pointer,
        c: u8,
        [n, m]: [u64; 2],
    ) -> Outcome {
        match self.run(function, [a, b], c, [n, m]) {
            Ok(value) => Outcome::Value(value),
            Err(kind) => Outcome::Bug(kind),
        }
    }

    fn run(&mut self, f: Function, [a, b]: [Pointer; 2], c: u8, [n, m]: [u64; 2]) -> Step<Value> {
        use Function as F;
        match f {
            F::Memcpy | F::Mempcpy | F::Memmove => self.block_copy(f, a, b, n),
            F::Memset => self.fill(a, c, n),
            F::Bzero => self.fill(a, 0, n),
            F::Memcmp | F::Bcmp => self.compare_blocks(f, a, b, n),
            F::Memchr => self.find(a, c, n),
            F::Rawmemchr => self.find(a, c, u64::MAX),
            F::Memrchr => self.find_last(a, c, n),
            F::Memmem => self.find_block(a, n, b, m),
            F::Strlen => Ok(Value::Number(self.length(a, u64::MAX)?)),
            F::Strnlen => Ok(Value::Number(self.length(a, n)?)),
            F::Strcmp => self.compare(a, b, u64::MAX, false),
            F::Strncmp => self.compare(a, b, n, false),
            F::Strcasecmp => self.compare(a, b, u64::MAX, true),
            F::Strncasecmp => self.compare(a, b, n, true),
            F::Strchr | F::Strchrnul => self.find_in_string(f, a, c),
            F::Strrchr => {
                let len = self.length(a, u64::MAX)?;
                self.find_last(a, c, len + 1)
            }
            F::Strspn | F::Strcspn | F::Strpbrk => self.span(f, a, b),
            F::Strstr => self.find_string(a, b),
            F::Strcpy | F::Stpcpy => self.copy(f, a, b),
            F::Strncpy | F::Stpncpy => self.copy_padded(f, a, b, n),
            F::Strcat => {
                let end = self.end(a)?;
                self.copy(f, end, b)?;
                Ok(Value::Pointer(a))
            }
            F::Strncat => self.append(a, b, n),
            F::Strlcpy => Ok(Value::Number(self.copy_cut(a, b, n)?)),
            F::Strlcat => {
                let len = self.length(a, n)?;
                let end = Pointer { at: a.at + len, ..a };
                Ok(Value::Number(len + self.copy_cut(end, b, n - len)?))
            }
            F::Strdup => self.duplicate(a, u64::MAX),
            F::Strndup => self.duplicate(a, n),
        }
    }

    fn get(&self, p: Pointer, i: u64) -> Step<u8> {
        let byte = self.objects[p.object].get((p.at + i) as usize);
        byte.copied().ok_or(BugKind::OutOfBounds)
    }

    fn put(&mut self, p: Pointer, i: u64, byte: u8) -> Step<()> {
        let place = self.objects[p.object].get_mut((p.at + i) as usize);
        *place.ok_or(BugKind::OutOfBounds)? = byte;
        Ok(())
    }

    /// All bytes of a block must be there.
    fn block(&self, p: Pointer, n: u64) -> Step<()> {
        let inside = n == 0 || p.at + n <= self.objects[p.object].len() as u64;
        if inside { Ok(()) } else { Err(BugKind::OutOfBounds) }
    }

    /// The distance between two places of one object.
    fn apart(a: Pointer, b: Pointer) -> Option<u64> {
        (a.object == b.object && a.at != b.at).then(|| a.at.abs_diff(b.at))
    }

    fn block_copy(&mut self, f: Function, to: Pointer, from: Pointer, n: u64) -> Step<Value> {
        if f != Function::Memmove && World::apart(to, from).is_some_and(|apart| apart < n) {
            return Err(BugKind::Overlap);
        }
        self.block(from, n)?;
        self.block(to, n)?;
        let bytes = (0..n).map(|i| self.get(from, i)).collect::<Step<Vec<u8>>>()?;
        for (i, byte) in (0..).zip(bytes) {
            self.put(to, i, byte)?;
        }
        let end = if f == Function::Mempcpy { n } else { 0 };
        Ok(Value::Pointer(Pointer { at: to.at + end, ..to }))
    }

    fn fill(&mut self, to: Pointer, byte: u8, n: u64) -> Step<Value> {
        self.block(to, n)?;
        (0..n).try_for_each(|i| self.put(to, i, byte))?;
        Ok(Value::Pointer(to))
    }

    fn compare_blocks(&self, f: Function, a: Pointer, b: Pointer, n: u64) -> Step<Value> {
        self.block(a, n)?;
        self.block(b, n)?;
        for i in 0..n {
            let (x, y) = (self.get(a, i)?, self.get(b, i)?);
            if x != y {
                return Ok(if f == Function::Bcmp { Value::Number(1) } else { difference(x, y) });
            }
        }
        Ok(Value::Number(0))
    }

    fn compare(&self, a: Pointer, b: Pointer, n: u64, fold: bool) -> Step<Value> {
        for i in 0..n {
            let (mut x, mut y) = (self.get(a, i)?, self.get(b, i)?);
            if fold {
                (x, y) = (x.to_ascii_lowercase(), y.to_ascii_lowercase());
            }
            if x != y || x == 0 {
                return Ok(difference(x, y));
            }
        }
        Ok(Value::Number(0))
    }

    fn find(&self, a: Pointer, c: u8, n: u64) -> Step<Value> {
        for i in 0..n {
            if self.get(a, i)? == c {
                return Ok(Value::Pointer(Pointer { at: a.at + i, ..a }));
            }
        }
        Ok(Value::Null)
    }

    fn find_last(&self, a: Pointer, c: u8, n: u64) -> Step<Value> {
        self.block(a, n)?;
        for i in (0..n).rev() {
            if self.get(a, i)? == c {
                return Ok(Value::Pointer(Pointer { at: a.at + i, ..a }));
            }
        }
        Ok(Value::Null)
    }

    fn find_in_string(&self, f: Function, a: Pointer, c: u8) -> Step<Value> {
        for i in 0.. {
            let byte = self.get(a, i)?;
            if byte == c || byte == 0 && f == Function::Strchrnul {
                return Ok(Value::Pointer(Pointer { at: a.at + i, ..a }));
            }
            if byte == 0 {
                break;
            }
        }
        Ok(Value::Null)
    }

    fn length(&self, a: Pointer, max: u64) -> Step<u64> {
        let mut len = 0;
        while len < max && self.get(a, len)? != 0 {
            len += 1;
        }
        Ok(len)
    }

    fn end(&self, a: Pointer) -> Step<Pointer> {
        Ok(Pointer { at: a.at + self.length(a, u64::MAX)?, ..a })
    }

    fn string(&self, a: Pointer) -> Step<Vec<u8>> {
        (0..self.length(a, u64::MAX)?).map(|i| self.get(a, i)).collect()
    }

    fn span(&self, f: Function, a: Pointer, set: Pointer) -> Step<Value> {
        let set = self.string(set)?;
        let mut len = 0;
        loop {
            let byte = self.get(a, len)?;
            let member = set.contains(&byte);
            if f == Function::Strpbrk && member {
                return Ok(Value::Pointer(Pointer { at: a.at + len, ..a }));
            }
            if byte == 0 || member != (f == Function::Strspn) {
                break;
            }
            len += 1;
        }
        Ok(if f == Function::Strpbrk { Value::Null } else { Value::Number(len) })
    }

    fn find_string(&self, a: Pointer, needle: Pointer) -> Step<Value> {
        let needle = self.string(needle)?;
        if needle.is_empty() {
            return Ok(Value::Pointer(a));
        }
        for i in 0.. {
            let mut matched = 0;
            while matched < needle.len() && self.get(a, i + matched as u64)? == needle[matched] {
                matched += 1;
            }
            if matched == needle.len() {
                return Ok(Value::Pointer(Pointer { at: a.at + i, ..a }));
            }
            if self.get(a, i)? == 0 {
                break;
            }
        }
        Ok(Value::Null)
    }

    fn find_block(&self, a: Pointer, len: u64, needle: Pointer, m: u64) -> Step<Value> {
        if m == 0 {
            return Ok(Value::Pointer(a));
        }
        if len < m {
            return Ok(Value::Null);
        }
        self.block(a, len)?;
        self.block(needle, m)?;
        let needle = (0..m).map(|i| self.get(needle, i)).collect::<Step<Vec<u8>>>()?;
        for i in 0..=len - m {
            let here = (i..i + m).map(|i| self.get(a, i)).collect::<Step<Vec<u8>>>()?;
            if here == needle {
                return Ok(Value::Pointer(Pointer { at: a.at + i, ..a }));
            }
        }
        Ok(Value::Null)
    }

    /// Getting to position `i` of a copy overwrites what is still to be read.
    fn disjoint(to: Pointer, from: Pointer, i: u64) -> Step<()> {
        match World::apart(to, from) {
            Some(apart) if apart <= i => Err(BugKind::Overlap),
            _ => Ok(()),
        }
    }

    fn copy(&mut self, f: Function, to: Pointer, from: Pointer) -> Step<Value> {
        self.get(from, 0)?;
        for i in 0.. {
            self.get(to, i)?;
            World::disjoint(to, from, i)?;
            let byte = self.get(from, i)?;
            self.put(to, i, byte)?;
            if byte == 0 {
                let end = if f == Function::Stpcpy { i } else { 0 };
                return Ok(Value::Pointer(Pointer { at: to.at + end, ..to }));
            }
        }
        unreachable!("objects end")
    }

    fn copy_padded(&mut self, f: Function, to: Pointer, from: Pointer, n: u64) -> Step<Value> {
        if n == 0 {
            return Ok(Value::Pointer(to));
        }
        self.get(from, 0)?;
        self.block(to, n)?;
        let target = to.at..to.at + n;
        let mut len = 0;
        while len < n {
            let touches = from.object == to.object && target.contains(&(from.at + len));
            if touches && from.at != to.at {
                return Err(BugKind::Overlap);
            }
            let byte = self.get(from, len)?;
            if byte == 0 {
                break;
            }
            self.put(to, len, byte)?;
            len += 1;
        }
        (len..n).try_for_each(|i| self.put(to, i, 0))?;
        let end = if f == Function::Stpncpy { len } else { 0 };
        Ok(Value::Pointer(Pointer { at: to.at + end, ..to }))
    }

    fn append(&mut self, to: Pointer, from: Pointer, n: u64) -> Step<Value> {
        let end = self.end(to)?;
        if n == 0 {
            return Ok(Value::Pointer(to));
        }
        self.get(from, 0)?;
        for i in 0..=n {
            self.get(end, i)?;
            World::disjoint(end, from, i)?;
            let byte = if i < n { self.get(from, i)? } else { 0 };
            self.put(end, i, byte)?;
            if byte == 0 {
                break;
            }
        }
        Ok(Value::Pointer(to))
    }

    /// Copies at most `n` bytes, the last of them zero; the length of the source.
    fn copy_cut(&mut self, to: Pointer, from: Pointer, n: u64) -> Step<u64> {
        if n == 0 {
            return self.length(from, u64::MAX);
        }
        self.get(from, 0)?;
        let before = self.clone();
        for i in 0.. {
            if i < n {
                self.get(to, i)?;
                World::disjoint(to, from, i)?;
            }
            let byte = before.get(from, i)?;
            if i < n {
                self.put(to, i, if i + 1 == n { 0 } else { byte })?;
            }
            if byte == 0 {
                return Ok(i);
            }
        }
        unreachable!("objects end")
    }

    fn duplicate(&self, a: Pointer, max: u64) -> Step<Value> {
        let len = self.length(a, max)?;
        let mut bytes = (0..len).map(|i| self.get(a, i)).collect::<Step<Vec<u8>>>()?;
        bytes.push(0);
        Ok(Value::Copy(bytes))
    }
}
