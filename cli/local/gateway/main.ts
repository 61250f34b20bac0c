import ServerlessOffline from 'serverless-offline';
// Most of what it loads when it starts, which can be there before its functions are known.
import 'serverless-offline/lambda';
import { corsOrigins } from '#shared/config/cors.ts';
import { createService, type GatewayService } from './create-service.ts';
import { hideCors } from './hide-cors.ts';
import { renewSources } from './renew-sources.ts';

// The gateway's process: serverless-offline, which takes its functions from the starter as soon as it knows them.

/** What the starter tells: the functions to serve, or that sources have changed. */
interface Told {
  functions?: GatewayService['functions'];
  reload?: true;
}

const { PORT = '3000', LAMBDA_PORT = '0', CORS_ORIGINS } = process.env;

/** Options of serverless-offline. */
const options = {
  host: '127.0.0.1',
  httpPort: Number(PORT),
  // The local server invokes stream listeners here.
  lambdaPort: Number(LAMBDA_PORT),
  // One process for all functions: they are made to run side by side, and start at once.
  useInProcess: true,
  disableCookieValidation: true,
  // It would answer 200 for a function that ran out of time; the chain itself keeps the time.
  noTimeout: true,
  noSponsor: true,
};

const silent = () => {};
/** What goes wrong; what else it tells is in the functions' own log. */
const log = {
  error: console.error,
  warning: console.warn,
  notice: silent,
  info: silent,
  verbose: silent,
  debug: silent,
};

let end: () => unknown = () => process.exit();

async function serve(functions: GatewayService['functions']): Promise<void> {
  const root = process.cwd();
  const serverless = { service: createService(functions), serviceDir: root, config: { servicePath: root } };
  const offline = new ServerlessOffline(serverless, options, { log });
  end = () => offline.end();
  await offline.start();
  // Told, since to ask its port would not show that it is this process that answers there.
  process.send?.({ ready: true });
}

const renew = renewSources();
hideCors(corsOrigins(CORS_ORIGINS));
process.once('SIGTERM', () => end());
// Its starter is gone, even if it had no time to say so.
process.on('disconnect', () => process.exit());
process.on('message', ({ functions, reload }: Told) => {
  if (reload) renew();
  if (functions) {
    serve(functions).catch((error) => {
      console.error(error);
      process.exit(1);
    });
  }
});
