import { createHash } from 'node:crypto';
import type { RedisCommand, Reply } from './redis-backend.ts';

/** Keeps scripts known by the SHA1 of the text their author wrote. */
export interface ScriptAliases {
  /** The command as the backend has to see it. */
  toBackend(command: RedisCommand): RedisCommand;
  /** The answer as the client has to see it. */
  toClient(command: RedisCommand, reply: Reply): Reply;
}

/**
 * Makes scripts that begin with a `#!lua flags=…` line acceptable: Redis refuses Upstash's own flags and
 * ioredis-mock the whole line. The line is blanked, which changes the SHA1 that the backend knows the script by,
 * so the SHA1 of the original text is translated on its way in and out.
 */
export function createScriptAliases(): ScriptAliases {
  const backendShas = new Map<string, string>();

  const blankFlags = (script: string) => {
    const stripped = script.replace(/^#![^\n]*/, '');
    if (stripped !== script) backendShas.set(toSha1(script), toSha1(stripped));
    return stripped;
  };
  const translateSha = (sha: string) => backendShas.get(sha.toLowerCase()) ?? sha;

  return {
    toBackend(command) {
      const [first = '', ...rest] = command.args.map(String);
      if (command.name === 'EVAL' || command.name === 'EVAL_RO') {
        return { name: command.name, args: [blankFlags(first), ...rest] };
      }
      if (command.name === 'EVALSHA' || command.name === 'EVALSHA_RO') {
        return { name: command.name, args: [translateSha(first), ...rest] };
      }
      if (command.name !== 'SCRIPT') return command;
      const subcommand = first.toUpperCase();
      if (subcommand === 'LOAD') return { name: 'SCRIPT', args: [first, ...rest.map(blankFlags)] };
      if (subcommand === 'EXISTS') return { name: 'SCRIPT', args: [first, ...rest.map(translateSha)] };
      if (subcommand === 'FLUSH') backendShas.clear();
      return command;
    },
    toClient(command, reply) {
      const [subcommand = '', script = ''] = command.args.map(String);
      const isLoad = command.name === 'SCRIPT' && subcommand.toUpperCase() === 'LOAD';
      return isLoad ? toSha1(script) : reply;
    },
  };
}

/** The name that Redis gives a script: its SHA1 in lower-case hexadecimal digits. */
export function toSha1(script: string): string {
  return createHash('sha1').update(script).digest('hex');
}
