/** What answered does not speak HTTP/1.1, or stopped before its answer was whole. */
export class HttpSyntaxError extends Error {
  override readonly name = 'HttpSyntaxError';
}
