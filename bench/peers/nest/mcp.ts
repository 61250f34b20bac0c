import { Body, Controller, Header, Headers, HttpCode, Post } from '@nestjs/common';
import { answerMcp } from '../jobs/answer-mcp.ts';
import { serve } from './serve.ts';

@Controller('mcp')
class McpController {
  @Post('service')
  @HttpCode(200)
  @Header('content-type', 'application/json')
  async call(@Headers('authorization') authorization: string, @Body() message: object) {
    const response = await answerMcp(authorization, message);
    return response.text();
  }
}

export const handler = serve(McpController);
