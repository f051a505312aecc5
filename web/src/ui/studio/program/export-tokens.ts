/** Vendors' languages in tokens, for colours alone: it never fails, and loses no character. Pure. */

export type TokenKind = "plain" | "comment" | "string" | "number" | "word" | "name" | "sign";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

interface Grammar {
  /** What begins a comment that goes to the end of its line. */
  readonly comment: string;
  /** Compared in small letters where the language does not tell them apart. */
  readonly words: ReadonlySet<string>;
  readonly anyCase: boolean;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const RAPID: Grammar = {
  comment: "!",
  anyCase: true,
  words: set(
    "module endmodule proc endproc func endfunc local task pers var const if then else elseif endif for from to step do endfor while endwhile test case default endtest return goto true false and or not xor div mod num bool string robtarget jointtarget speeddata zonedata tooldata wobjdata extjoint confdata movej movel movec moveabsj waittime waitdi waituntil setdo set reset offs reltool velset accset confj confl singarea",
  ),
};
const URSCRIPT: Grammar = {
  comment: "#",
  anyCase: false,
  words: set(
    "def end if elif else while for return global local thread kill join sync and or not xor True False movej movel movec movep speedj speedl stopj stopl sleep set_digital_out set_standard_digital_out get_standard_digital_in set_tool_digital_out set_tcp set_payload pose_trans pose_add p halt popup textmsg break continue",
  ),
};
const VPLUS: Grammar = {
  comment: ";",
  anyCase: true,
  words: set(
    ".program .end .locations .reals .strings auto local global if then else end while do for to step until repeat return call goto exit stop halt case value any and or not xor mod true false move moves appro appros depart departs speed accel break delay wait signal sig open openi close closei above below lefty righty flip noflip single multiple fine coarse nonull null cpon cp on off always set tool trans ppoint here point type enable disable pause select robot attach detach",
  ),
};
const CSV: Grammar = { comment: "#", anyCase: false, words: new Set() };

export const GRAMMARS: Readonly<Record<string, Grammar>> = {
  rapid: RAPID,
  urscript: URSCRIPT,
  vplus: VPLUS,
  replay: VPLUS,
  csv: CSV,
};

const NUMBER = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;
const WORD = /^[.#$]?[A-Za-z_][\w.]*/;
const SPACE = /^\s+/;

/** One line of a text. */
export function tokensOf(line: string, form: string): readonly Token[] {
  const grammar = GRAMMARS[form] ?? CSV;
  const tokens: Token[] = [];
  let rest = line;
  const take = (kind: TokenKind, length: number): void => {
    tokens.push({ kind, text: rest.slice(0, length) });
    rest = rest.slice(length);
  };
  while (rest !== "") {
    const space = SPACE.exec(rest)?.[0];
    const number = NUMBER.exec(rest)?.[0];
    if (space !== undefined) take("plain", space.length);
    else if (rest.startsWith(grammar.comment)) take("comment", rest.length);
    else if (rest.startsWith('"')) {
      const end = rest.indexOf('"', 1);
      take("string", end < 0 ? rest.length : end + 1);
    } else if (number !== undefined) take("number", number.length);
    else {
      const word = WORD.exec(rest)?.[0];
      if (word === undefined) take("sign", 1);
      else
        take(grammar.words.has(grammar.anyCase ? word.toLowerCase() : word) ? "word" : "name", word.length);
    }
  }
  return tokens;
}
