import { type Access, createAccess, useAccess } from './access.ts';
import { createClient, sendTo } from './client.ts';
import {
  type LocalServer,
  type LocalServerOptions,
  type RunningServer,
  shareLocalServer,
  startLocalServer,
} from './local-server.ts';
import { useRunning } from './use-running.ts';

/** A server that a test file uses, and its clients. */
export interface UsedServer<Server> extends Access {
  server: Server;
}

export interface UsedServerOptions extends LocalServerOptions {
  /** Whether its administrator is logged in before the tests. @default true */
  login?: boolean;
}

/** A local server of this test file. @param options may need what is started before it */
export function useServer(
  options: UsedServerOptions | (() => UsedServerOptions) = {},
): UsedServer<LocalServer> {
  let given: UsedServerOptions | undefined;
  const read = () => {
    given ??= typeof options === 'function' ? options() : options;
    return given;
  };
  const server = useRunning(() => startLocalServer(read()));
  return use(server, () => read().login ?? true);
}

/**
 * The server that test files share. For tests that change nothing that others see: they save no settings, and their
 * users, dictionaries and files are their own.
 */
export const useSharedServer = (): UsedServer<RunningServer> =>
  use(useRunning(shareLocalServer, () => undefined));

const use = <Server extends RunningServer>(server: Server, hasLogin = () => true): UsedServer<Server> => ({
  server,
  ...useAccess(createClient(sendTo(server)), hasLogin),
});

/** Access to a server that a test has started itself. */
export const connect = (server: RunningServer): Access => createAccess(createClient(sendTo(server)));
