import type { Command, Reply } from '#shared/cache/protocol.ts';

/** The SDK writes names and options in lower case. */
const normalise = ([name, ...args]: Command): Command => [
  name.toUpperCase(),
  ...args.map((arg) => (arg === 'nx' || arg === 'ex' ? arg.toUpperCase() : arg)),
];

/** A Redis in memory with the commands of the caches, without expiry. */
export class FakeRedis {
  readonly values = new Map<string, string>();
  /** Every pipeline that arrived, in order. */
  readonly requests: Command[][] = [];
  /** If set, every request fails with it. */
  failure: Error | undefined;
  /** Fails the next request only. */
  failNext: Error | undefined;
  /** Holds each request before it takes effect, and again before its answer is seen. */
  delay: ((commands: Command[]) => Promise<unknown>) | undefined;

  readonly transport = async (sent: Command[]): Promise<Reply[]> => {
    const commands = sent.map(normalise);
    this.requests.push(commands);
    await this.delay?.(commands);
    const failure = this.failNext ?? this.failure;
    this.failNext = undefined;
    if (failure) throw failure;
    const replies = commands.map((command) => this.run(command));
    await this.delay?.(commands);
    return replies;
  };

  /** All commands that arrived, as text. */
  get commands(): string[] {
    return this.requests.flat().map((command) => command.join(' '));
  }

  private run([name, ...args]: Command): Reply {
    const [key = '', value = '', ...options] = args.map(String);
    switch (name) {
      case 'GET':
        return { result: this.values.get(key) ?? null };
      case 'MGET':
        return { result: args.map((each) => this.values.get(String(each)) ?? null) };
      case 'DEL':
        return { result: Number(this.values.delete(key)) };
      case 'SET':
        if (options.includes('NX') && this.values.has(key)) return { result: null };
        this.values.set(key, value);
        return { result: 'OK' };
      default:
        return { error: `ERR unknown command '${name}'` };
    }
  }
}
