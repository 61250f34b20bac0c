import 'reflect-metadata';
import { getCurrentInvoke, configure as serverlessExpress } from '@codegenie/serverless-express';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Invocation } from '../../event.ts';
import { envelope } from '../jobs/envelope.ts';
import { RefusalFilter } from './refusal-filter.ts';

/** The handler of an application with one controller. */
export function serve(controller: Type) {
  @Module({ controllers: [controller] })
  class AppModule {}

  async function start() {
    const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
    app.useGlobalFilters(new RefusalFilter());
    await app.init();
    return serverlessExpress({ app: app.getHttpAdapter().getInstance() });
  }

  const started = start();
  return async (event: Invocation['event'], context: Invocation['context']) =>
    // It returns a promise and needs no callback.
    Reflect.apply(await started, undefined, [event, context]);
}

/** Data in the envelope; refusals are the filter's. */
export const wrap = (data: object) => envelope(data, getCurrentInvoke().context?.awsRequestId);
