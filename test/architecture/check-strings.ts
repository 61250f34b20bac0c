import { mask } from './read-imports.ts';

/** Source texts by path from the project's root, with `/`. */
type Sources = Record<string, string>;

/** Features of modules, which the platform must not name. */
const capabilities = /article|wechat|sms|captcha|assistant/i;
const moduleUrl = /(?:^|\/)(?:adminapi|api)\/[\w-]+\/|mcp\/service/;
const sourcePath = /(?:^|\/)(?:shared|modules|functions|cli)\//;
const pathTest = /\.\s*(?:startsWith|endsWith|includes)\s*\(\s*«(\d+)»/g;
// Only a pattern escapes its slashes.
const pathPattern = /\b(?:shared|modules|functions|cli)\\\//;

/**
 * Every place where sources are tied to each other by texts, which their imports do not show: what a module is
 * about in `shared/`, the URL of a module there, the path of a source that decides something, and a file of `cli/`
 * in `functions/`.
 */
export function checkStrings(sources: Sources): string[] {
  return Object.entries(sources).flatMap(([file, source]) => {
    const { code, texts } = mask(source);
    const [area] = file.split('/');
    const problems: string[] = [];
    const name = [file, code, ...texts].map((text) => capabilities.exec(text)?.[0]).find(Boolean);
    if (area === 'shared' && name) problems.push(`names ${name}, which belongs to a module`);
    const url = texts.find((text) => moduleUrl.test(text));
    if (area === 'shared' && url) problems.push(`spells ${url}, the URL of a module`);
    const tested = [...code.matchAll(pathTest)].map(([, index]) => texts[Number(index)] ?? '');
    const path = tested.find((text) => sourcePath.test(text)) ?? pathPattern.exec(source)?.[0];
    if (path) problems.push(`tests a path for ${path}: declare what has to be known`);
    const command = texts.find((text) => /^#?cli\//.test(text));
    if (area === 'functions' && command) problems.push(`names ${command}: functions/ may not know cli`);
    return problems.map((problem) => `${file} ${problem}`);
  });
}
