declare module '@20minutes/s3rver' {
  /** The used part of its options. */
  interface S3ServerOptions {
    address: string;
    /** 0 takes any free one. */
    port: number;
    silent: boolean;
    directory: string;
    configureBuckets: { name: string }[];
  }

  export default class S3Server {
    constructor(options: S3ServerOptions);
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
