import { expect, test } from '@jest/globals';
import { mendMcpError } from '#shared/tools/mend-mcp-error.ts';

const answerOf = (error: object): string => JSON.stringify({ jsonrpc: '2.0', id: 'a', error });
const issues = JSON.stringify([{ expected: 'object', code: 'invalid_type', path: ['params'], message: 'x' }]);

test.each([
  ['what does not fit a schema is about the params', issues, { code: -32602, message: 'Invalid params' }],
  ['all else says nothing of the inside', 'x is not a function', { code: -32603, message: 'Internal error' }],
  ['a list of something else neither', '[1]', { code: -32603, message: 'Internal error' }],
])('of internal errors, %s', (_title, message, error) => {
  expect(JSON.parse(mendMcpError(answerOf({ code: -32603, message })))).toEqual({
    jsonrpc: '2.0',
    id: 'a',
    error,
  });
});

test.each([
  ['', 'nothing'],
  [answerOf({ code: -32601, message: 'Method not found' }), 'another error'],
  [JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: '-32603' } }), 'a result'],
])('%s stays as it is: %s', (text) => {
  expect(mendMcpError(text)).toBe(text);
});
