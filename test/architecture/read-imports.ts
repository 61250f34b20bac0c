/** One import of a source file, as it is written. */
export interface ImportFound {
  specifier: string;
  /** Does not exist at run time. */
  isTypeOnly: boolean;
  /** `import('…')` */
  isDynamic: boolean;
}

/** A source without comments, and with numbers instead of texts, so that patterns match code only. */
interface Masked {
  code: string;
  texts: string[];
}

/** Every import of a source: static, type-only, re-exporting and dynamic ones. */
export function readImports(source: string): ImportFound[] {
  const { code, texts } = mask(source);
  const found: ImportFound[] = [];
  const add = (index: string | undefined, isTypeOnly: boolean, isDynamic = false) => {
    const specifier = texts[Number(index)];
    if (specifier !== undefined) found.push({ specifier, isTypeOnly, isDynamic });
  };
  // `import { type A }` counts as a value import: with verbatimModuleSyntax the module is still loaded.
  for (const [, type, index] of code.matchAll(
    /\b(?:import|export)\b(\s+type\b(?!\s+from\b|\s*,))?[\w$\s{},*]*?\bfrom\s*«(\d+)»/g,
  )) {
    add(index, type !== undefined);
  }
  for (const [, index] of code.matchAll(/\bimport\s*«(\d+)»/g)) add(index, false);
  for (const [, typeOf, index] of code.matchAll(/(\btypeof\s+)?\bimport\s*\(\s*«(\d+)»/g)) {
    add(index, typeOf !== undefined, true);
  }
  return found;
}

/** Whether a source reads the environment of the process. */
export function readsEnvironment(source: string): boolean {
  const { code, texts } = mask(source);
  if (/\bprocess\s*\??\.\s*env\b/.test(code)) return true;
  if (/\bimport\b/.test(code) && texts.includes('node:process')) return true;
  const subscripts = code.matchAll(/\bprocess\s*(?:\?\.)?\s*\[\s*«(\d+)»/g);
  return [...subscripts].some(([, index]) => texts[Number(index)] === 'env');
}

const token =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*")|(?<tick>`)|(?<slash>\/)|(?<brace>[{}])/g;
// A slash after one of these begins a regular expression, not a division.
const beforePattern = /(?:^|[([{,;:=!&|?+\-*%<>~^}]|\b(?:return|typeof|case|in|of|=>))\s*$/;
const patternLiteral = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const templateText = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;

/** Removes comments, texts and patterns from a source. */
export function mask(source: string): Masked {
  const texts: string[] = [];
  /** The number of open braces in each open `${`. */
  const depths: number[] = [];
  let code = '';
  let at = 0;
  const place = (text: string) => `«${texts.push(text) - 1}»`;

  /** Reads a template from `at` to its end or its next `${`. */
  function readTemplate(): void {
    templateText.lastIndex = at;
    const [text = ''] = templateText.exec(source) ?? [];
    code += place(text);
    at += text.length;
    if (source.startsWith('${', at)) {
      depths.push(0);
      code += '(';
      at += 2;
    } else at += 1;
  }

  while (at < source.length) {
    token.lastIndex = at;
    const match = token.exec(source);
    if (!match) return { code: code + source.slice(at), texts };
    code += source.slice(at, match.index);
    at = match.index + match[0].length;
    const { comment, text, tick, brace } = match.groups ?? {};
    if (comment) code += ' ';
    else if (text) code += place(text.slice(1, -1));
    else if (tick) readTemplate();
    else if (brace) {
      const depth = depths.pop();
      if (depth === 0 && brace === '}') {
        code += ')';
        readTemplate();
      } else {
        code += brace;
        if (depth !== undefined) depths.push(depth + (brace === '{' ? 1 : -1));
      }
    } else {
      patternLiteral.lastIndex = match.index;
      const pattern = beforePattern.test(code) ? patternLiteral.exec(source) : null;
      code += pattern ? ' 0 ' : '/';
      if (pattern) at = match.index + pattern[0].length;
    }
  }
  return { code, texts };
}
