import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { Refusal } from '../jobs/refusal.ts';

/** The used part of Express' response. */
interface Response {
  status(code: number): { json(body: unknown): void };
}

/** Answers what is refused with its status. */
@Catch(Refusal)
export class RefusalFilter implements ExceptionFilter<Refusal> {
  catch({ statusCode, message }: Refusal, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(statusCode).json({ message });
  }
}
