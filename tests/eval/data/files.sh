# What utilities do to files, seen by those that follow.
mkdir -p a/b/c && cp text a/one && cp -r folder a/b && ls -R a
mv a/one a/two; ln a/two a/three; ln -s ../two a/b/four
cat a/b/four | head -n 1
stat -c '%n %s %h %A %F' a/two a/three a/b/four
chmod 640 a/two; chmod u+x,g-r a/two; stat -c %a a/three
echo more >> a/three; wc -c a/two
cp a/two a/copy; cmp=$(cat a/two a/copy | sort | uniq -u); echo "unique: $cmp"
touch -d @86400 a/old; stat -c '%Y %X' a/old; touch -r a/old a/copy; stat -c %Y a/copy
[ a/two -nt a/old ] && echo newer
truncate -s 10 a/copy; cat a/copy; echo; truncate -s +5 a/copy; od -c a/copy
split -l 3 -d text piece; wc -l piece*; cat piece* | md5sum; md5sum < text
csplit -s -f part text /short/ '{1}'; wc -l part*
tee a/tee1 a/tee2 < words > /dev/null; ls -s --block-size=1 a/tee1 | wc -l; cat a/tee1 a/tee2 | wc
dd if=octets of=a/dd bs=16 count=3 skip=2 seek=1 2> /dev/null; od -An -tx1 a/dd
rm a/two; cat a/b/four; echo "dangling gave $?"
rmdir a; echo "rmdir gave $?"
rm -r a/b; ls a; rm -rf a; ls -d a; echo "ls gave $?"
install() { cp "$1" "$2" && chmod 755 "$2"; }
install words tool; [ -x tool ] && echo executable
mkdir locked; chmod 500 locked; stat -c %A locked
realpath link; readlink link; readlink -f folder/../link; readlink text; echo "readlink gave $?"
cp -P link link2; readlink link2; cp link text2; stat -c '%F %s' text2
cp -p text text3; stat -c %Y text3
mv text3 folder; ls folder; mv nothing somewhere; echo "mv gave $?"
ln -s loop loop; cat loop; echo "loop gave $?"
echo x > new; echo y > new; cat new; (set -C; echo z > new); echo "noclobber gave $?"
du --apparent-size -b folder/one; ls -l --time-style=+%s folder/one | cut -d' ' -f5-
shred -n 1 -z --random-source=bulk words && od -An -tx1 words | head -n 2
mktemp -p . tmp.XXXXXX | wc -c; ls -d tmp.* | wc -l
mkfifo pipe; stat -c %F pipe; unlink pipe; link text hard; stat -c %h text
sync; echo "sync gave $?"
