/**
 * Bases of the passwords that lead every published list of leaked ones, in lower case, for the time when the list of breached passwords cannot
 * be asked. Variants (capitals, digits and signs at the end, digits for letters) need no entry of their own: see `isWorst`.
 */
const WORST_BASES: ReadonlySet<string> = new Set(
  `
abc abcabc abcd abcdef abcdefg abcdefgh access admin administrator alexander amanda andrea andrew angel angels anthony apple arsenal
asdasd asdf asdfasdf asdfgh asdfghjk asdfghjkl ashley austin azerty azertyuiop babygirl badboy bailey barcelona baseball basketball
batman benjamin bigdaddy blahblah blink butterfly buster carlos changeme charlie charlotte chelsea chicken chocolate christian
christopher claudia computer cookie corvette cowboys dallas daniel danielle december default diamond dolphin dragon elephant elizabeth
eminem estrella ferrari flower flowers football forever freedom friends fuckyou gabriel gamer gaming george ginger google guest
hannah harley heather hello hellohello hockey hottie hunter iloveu iloveyou internet isabella jasmine jennifer jessica jessie jonathan
jordan joseph joshua jupiter justin killer liverpool login london love lovely loveme lovelove loveyou maggie manchester marina marlboro
martin master matrix matthew maverick melissa mercedes merlin michael michelle midnight minecraft monkey monster mustang naruto natasha
nicholas nicole november october parola pass passw passwd password passpass patrick pepper phoenix playboy pokemon porsche princess
purple qazwsx qazwsxedc qweasd qweasdzxc qwer qwerasdf qwert qwerty qwertyu qwertyui qwertyuiop qwertz qwertzuiop rainbow rangers
realmadrid redsox richard robert root samantha samsung scooter sebastian secret september shadow silver slipknot snoopy soccer
sophie spider spiderman spongebob starwars steelers stephanie steven summer sunshine superman superstar sweety sweetheart taylor teamo
tennis test testing testtest thomas thunder thunderbird tigger trove trovegame trustno trustnoone trustme unicorn user vanessa
victoria welcome welcometo whatever william winter winner wolverine yamaha yankees yourname zaq zaqwsx zaqxsw zxcvbn zxcvbnm
letmein letmeinn nothing passord kennwort passwort motdepasse contrasena senha parolamea sifre haslo heslo wachtwoord salasana lozinka
asd zxc qwe qaz wsx
`
    .trim()
    .split(/\s+/),
);

/** Passwords of digits and mixed rows of the keyboard. Sequences and repetitions need no entry. */
const WORST_WHOLE: ReadonlySet<string> = new Set(
  `
1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1xsw2 1qazxsw2 qazwsx123 a1b2c3d4 a1s2d3f4
abcd1234 abc12345 abc123456 123abc123 123qweasd 123qwe123 qwe123qwe 12qwaszx 1234qwer 12345qwert 123456qwerty 123456abc 123456789a 1234567a
12345678a 12344321 11223344 1122334455 112233445566 12121212 121212121212 13131313 12341234 123123123 1231231234 123321123 147258369
147852369 159357159 159753159 142536475 741852963 789456123 987654321 9876543210 87654321 10203040 1029384756 0987654321 01234567
0123456789 12345678910 1234567891 123454321 20002000 19871987 14789632 52013145 5201314520 31415926 7777777a a123456789 a12345678
trustno1 ncc1701d bond0071 pa55word pa55w0rd
`
    .trim()
    .split(/\s+/),
);

const LETTER_OF: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' };

/** Whether a password is among the first that an attacker tries. */
export function isWorst(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (WORST_WHOLE.has(text) || isRepetition(text) || isSequence(text)) return true;
  // "Password2026!" and "123password" are variants of the base, "P@ssw0rd" is one too.
  const base = text.replace(/^[^a-z@$]+|[^a-z]+$/g, '');
  const spelled = text.replace(/[^a-z@$]+$/, '').replace(/[0134579@$!]/g, (sign) => LETTER_OF[sign] ?? sign);
  return WORST_BASES.has(base) || WORST_BASES.has(spelled);
}

/** One or two characters, or one part of up to four characters repeated. */
function isRepetition(text: string): boolean {
  return new Set(text).size <= 2 || /^(.{1,4})\1+$/.test(text);
}

/** Consecutive characters, upwards or downwards, such as `23456789`. */
function isSequence(text: string): boolean {
  const steps = new Set([...text].slice(1).map((character, index) => character.charCodeAt(0) - text.charCodeAt(index)));
  return steps.size === 1 && [1, -1].includes([...steps][0] ?? 0);
}
