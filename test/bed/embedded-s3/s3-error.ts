// An S3 error as the wire carries it.

export class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  /** Further elements of the error document. */
  readonly extra: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, extra: Record<string, string> = {}, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
    this.headers = headers;
  }
}

export const noSuchKey = (key: string) => new S3Error(404, "NoSuchKey", "The specified key does not exist.", { Key: key });
export const noSuchBucket = (bucket: string) => new S3Error(404, "NoSuchBucket", "The specified bucket does not exist", { BucketName: bucket });
export const noSuchUpload = (id: string) =>
  new S3Error(404, "NoSuchUpload", "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.", {
    UploadId: id,
  });
export const accessDenied = () => new S3Error(403, "AccessDenied", "Access Denied");
export const invalidArgument = (message: string) => new S3Error(400, "InvalidArgument", message);
export const invalidRequest = (message: string) => new S3Error(400, "InvalidRequest", message);
export const malformedXml = () => new S3Error(400, "MalformedXML", "The XML you provided was not well-formed or did not validate against our published schema");
export const preconditionFailed = (condition: string) =>
  new S3Error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold", { Condition: condition });
export const notImplemented = (what: string) => new S3Error(501, "NotImplemented", `A header or query you provided implies functionality that is not implemented: ${what}`);
