import { Body, Controller, Headers, HttpCode, Post, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { maxBytes, uploadFile } from '../jobs/upload-file.ts';
import { parse } from '../schemas/parse.ts';
import { uploadFields } from '../schemas/upload-fields.ts';
import { serve, wrap } from './serve.ts';

/** A file as multer keeps it in memory. */
interface MemoryFile {
  originalname: string;
  buffer: Buffer;
}

@Controller('adminapi/system/upload')
class UploadController {
  @Post('file')
  @HttpCode(200)
  @UseInterceptors(FileInterceptor('file', { limits: { files: 1, fileSize: maxBytes + 1 } }))
  async upload(
    @Headers('authorization') authorization: string,
    @Body() fields: Record<string, string>,
    @UploadedFile() file?: MemoryFile,
  ) {
    const received = file && { name: file.originalname, bytes: file.buffer };
    return wrap(await uploadFile(authorization, parse(uploadFields, fields), received));
  }
}

export const handler = serve(UploadController);
