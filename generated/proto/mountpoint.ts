// Generated from proto/mountpoint.proto by `npm run codegen`. Do not edit: change the source and run it again.

/* eslint-disable */
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import type { CallContext, CallOptions } from "nice-grpc-common";

export const protobufPackage = "s3csi.mountpoint.v1";

export const protobufFileName = "mountpoint.proto";

/**
 * The protocol between the CSI node service and a Mountpoint Pod, spoken over /comm/mount.sock (gRPC) with the file
 * descriptor of /dev/fuse passed beside it over /comm/fd.sock (SCM_RIGHTS). The daemon serves; the node service calls.
 */

export interface MountRequest {
  /** Names the fd that was sent over the fd socket. */
  readonly token: string;
  /** The bucket to serve. */
  readonly bucketName: string;
  /** mount-s3's options, normalised: "--key" or "--key=value", sorted. */
  readonly args: readonly string[];
  /** AWS_REGION, AWS_ENDPOINT_URL, AWS_MAX_ATTEMPTS and the like. Never a secret. */
  readonly env: { [key: string]: string };
  /** Where the credentials stand. */
  readonly credentials:
    | Credentials
    | undefined;
  /** The volume's id, for logs and metrics. */
  readonly volumeId: string;
  /** Negotiated FUSE state of a connection that another process served before; empty for a new mount. */
  readonly resumeState: Buffer;
  /** The kernel refuses writes on this mount (MS_RDONLY). */
  readonly readOnly: boolean;
  /**
   * Names a file of memory that was sent over the fd socket too: the daemon records in it what the kernel holds on to (what is open,
   * small files being written, the directories it knows), and finds there what its predecessor recorded before it died. Empty: none was sent.
   */
  readonly crashRecordToken: string;
}

export interface MountRequest_EnvEntry {
  readonly key: string;
  readonly value: string;
}

export interface MountResponse {
  /** The negotiated FUSE state, to be kept by the node service for a later take-over. */
  readonly sessionState: Buffer;
}

export interface Credentials {
  readonly source:
    | //
    /** Files written by the node service into the memory-backed comm directory, in AWS's profile format. */
    { readonly $case: "files"; readonly files: ProfileFiles }
    | //
    /** Keys in the message itself, for a daemon without a comm directory. */
    { readonly $case: "keys"; readonly keys: StaticKeys }
    | //
    /** No signature at all (public buckets). */
    { readonly $case: "anonymous"; readonly anonymous: Anonymous }
    | undefined;
}

export interface ProfileFiles {
  readonly profile: string;
  readonly configFile: string;
  readonly credentialsFile: string;
}

export interface StaticKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

export interface Anonymous {
}

export interface StatusRequest {
}

export interface StatusResponse {
  readonly phase: StatusResponse_Phase;
  /** Why it failed, or what is wrong with S3 at the moment; empty when all is well. */
  readonly message: string;
  readonly bucketName: string;
  readonly driverVersion: string;
  /** Uploads that are not yet complete. */
  readonly openUploads: number;
  readonly openFiles: number;
  /** Seconds since the last successful answer from S3; -1 when there was none. */
  readonly secondsSinceS3Success: number;
  /** The process, so that a holder of the connection can tell a restarted daemon from the one it knew. */
  readonly pid: number;
}

export const StatusResponse_Phase = {
  PHASE_UNSPECIFIED: 0,
  /** WAITING - no options received yet */
  WAITING: 1,
  MOUNTING: 2,
  SERVING: 3,
  STOPPING: 4,
  FAILED: 5,
} as const;

export type StatusResponse_Phase = typeof StatusResponse_Phase[keyof typeof StatusResponse_Phase];

export namespace StatusResponse_Phase {
  export type PHASE_UNSPECIFIED = typeof StatusResponse_Phase.PHASE_UNSPECIFIED;
  export type WAITING = typeof StatusResponse_Phase.WAITING;
  export type MOUNTING = typeof StatusResponse_Phase.MOUNTING;
  export type SERVING = typeof StatusResponse_Phase.SERVING;
  export type STOPPING = typeof StatusResponse_Phase.STOPPING;
  export type FAILED = typeof StatusResponse_Phase.FAILED;
}

export interface UpdateCredentialsRequest {
  readonly credentials:
    | Credentials
    | undefined;
  /** Take them without asking S3 first. */
  readonly skipCheck: boolean;
}

export interface UpdateCredentialsResponse {
}

export interface HandOverRequest {
}

export interface HandOverResponse {
  /** Everything the next process needs: negotiated FUSE state, node ids, handles, uploads. */
  readonly state: Buffer;
}

export interface StopRequest {
  /** Answer open uploads with an error instead of waiting for them. */
  readonly force: boolean;
}

export interface StopResponse {
  /** Uploads that could not be finished. */
  readonly lostUploads: readonly string[];
}

function createBaseMountRequest(): MountRequest {
  return {
    token: "",
    bucketName: "",
    args: [],
    env: {},
    credentials: undefined,
    volumeId: "",
    resumeState: Buffer.alloc(0),
    readOnly: false,
    crashRecordToken: "",
  };
}

export const MountRequest: MessageFns<MountRequest> = {
  encode(message: MountRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.token !== "") {
      writer.uint32(10).string(message.token);
    }
    if (message.bucketName !== "") {
      writer.uint32(18).string(message.bucketName);
    }
    for (const v of message.args) {
      writer.uint32(26).string(v!);
    }
    globalThis.Object.entries(message.env).forEach(([key, value]: [string, string]) => {
      MountRequest_EnvEntry.encode({ key: key as any, value }, writer.uint32(34).fork()).join();
    });
    if (message.credentials !== undefined) {
      Credentials.encode(message.credentials, writer.uint32(42).fork()).join();
    }
    if (message.volumeId !== "") {
      writer.uint32(50).string(message.volumeId);
    }
    if (message.resumeState.length !== 0) {
      writer.uint32(58).bytes(message.resumeState);
    }
    if (message.readOnly !== false) {
      writer.uint32(64).bool(message.readOnly);
    }
    if (message.crashRecordToken !== "") {
      writer.uint32(74).string(message.crashRecordToken);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): MountRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseMountRequest() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.token = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.bucketName = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.args.push(reader.string());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = MountRequest_EnvEntry.decode(reader, reader.uint32());
            if (entry4.value !== undefined) {
              message.env[entry4.key] = entry4.value;
            }
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.credentials = Credentials.decode(reader, reader.uint32());
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            message.resumeState = Buffer.from(reader.bytes());
            continue;
          }
          case 8: {
            if (tag !== 64) {
              break;
            }

            message.readOnly = reader.bool();
            continue;
          }
          case 9: {
            if (tag !== 74) {
              break;
            }

            message.crashRecordToken = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<MountRequest>): MountRequest {
    return MountRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<MountRequest>): MountRequest {
    const message = createBaseMountRequest() as any;
    message.token = object.token ?? "";
    message.bucketName = object.bucketName ?? "";
    message.args = object.args?.map((e) => e) || [];
    message.env = (globalThis.Object.entries(object.env ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.credentials = (object.credentials !== undefined && object.credentials !== null)
      ? Credentials.fromPartial(object.credentials)
      : undefined;
    message.volumeId = object.volumeId ?? "";
    message.resumeState = object.resumeState ?? Buffer.alloc(0);
    message.readOnly = object.readOnly ?? false;
    message.crashRecordToken = object.crashRecordToken ?? "";
    return message;
  },
};

function createBaseMountRequest_EnvEntry(): MountRequest_EnvEntry {
  return { key: "", value: "" };
}

export const MountRequest_EnvEntry: MessageFns<MountRequest_EnvEntry> = {
  encode(message: MountRequest_EnvEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): MountRequest_EnvEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseMountRequest_EnvEntry() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<MountRequest_EnvEntry>): MountRequest_EnvEntry {
    return MountRequest_EnvEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<MountRequest_EnvEntry>): MountRequest_EnvEntry {
    const message = createBaseMountRequest_EnvEntry() as any;
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseMountResponse(): MountResponse {
  return { sessionState: Buffer.alloc(0) };
}

export const MountResponse: MessageFns<MountResponse> = {
  encode(message: MountResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.sessionState.length !== 0) {
      writer.uint32(10).bytes(message.sessionState);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): MountResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseMountResponse() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.sessionState = Buffer.from(reader.bytes());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<MountResponse>): MountResponse {
    return MountResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<MountResponse>): MountResponse {
    const message = createBaseMountResponse() as any;
    message.sessionState = object.sessionState ?? Buffer.alloc(0);
    return message;
  },
};

function createBaseCredentials(): Credentials {
  return { source: undefined };
}

export const Credentials: MessageFns<Credentials> = {
  encode(message: Credentials, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    switch (message.source?.$case) {
      case "files":
        ProfileFiles.encode(message.source.files, writer.uint32(10).fork()).join();
        break;
      case "keys":
        StaticKeys.encode(message.source.keys, writer.uint32(18).fork()).join();
        break;
      case "anonymous":
        Anonymous.encode(message.source.anonymous, writer.uint32(26).fork()).join();
        break;
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Credentials {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCredentials() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.source = { $case: "files", files: ProfileFiles.decode(reader, reader.uint32()) };
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.source = { $case: "keys", keys: StaticKeys.decode(reader, reader.uint32()) };
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.source = { $case: "anonymous", anonymous: Anonymous.decode(reader, reader.uint32()) };
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Credentials>): Credentials {
    return Credentials.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Credentials>): Credentials {
    const message = createBaseCredentials() as any;
    switch (object.source?.$case) {
      case "files": {
        if (object.source?.files !== undefined && object.source?.files !== null) {
          message.source = { $case: "files", files: ProfileFiles.fromPartial(object.source.files) };
        }
        break;
      }
      case "keys": {
        if (object.source?.keys !== undefined && object.source?.keys !== null) {
          message.source = { $case: "keys", keys: StaticKeys.fromPartial(object.source.keys) };
        }
        break;
      }
      case "anonymous": {
        if (object.source?.anonymous !== undefined && object.source?.anonymous !== null) {
          message.source = { $case: "anonymous", anonymous: Anonymous.fromPartial(object.source.anonymous) };
        }
        break;
      }
    }
    return message;
  },
};

function createBaseProfileFiles(): ProfileFiles {
  return { profile: "", configFile: "", credentialsFile: "" };
}

export const ProfileFiles: MessageFns<ProfileFiles> = {
  encode(message: ProfileFiles, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.profile !== "") {
      writer.uint32(10).string(message.profile);
    }
    if (message.configFile !== "") {
      writer.uint32(18).string(message.configFile);
    }
    if (message.credentialsFile !== "") {
      writer.uint32(26).string(message.credentialsFile);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ProfileFiles {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseProfileFiles() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.profile = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.configFile = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.credentialsFile = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ProfileFiles>): ProfileFiles {
    return ProfileFiles.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ProfileFiles>): ProfileFiles {
    const message = createBaseProfileFiles() as any;
    message.profile = object.profile ?? "";
    message.configFile = object.configFile ?? "";
    message.credentialsFile = object.credentialsFile ?? "";
    return message;
  },
};

function createBaseStaticKeys(): StaticKeys {
  return { accessKeyId: "", secretAccessKey: "", sessionToken: "" };
}

export const StaticKeys: MessageFns<StaticKeys> = {
  encode(message: StaticKeys, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.accessKeyId !== "") {
      writer.uint32(10).string(message.accessKeyId);
    }
    if (message.secretAccessKey !== "") {
      writer.uint32(18).string(message.secretAccessKey);
    }
    if (message.sessionToken !== "") {
      writer.uint32(26).string(message.sessionToken);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StaticKeys {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStaticKeys() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.accessKeyId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.secretAccessKey = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.sessionToken = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StaticKeys>): StaticKeys {
    return StaticKeys.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StaticKeys>): StaticKeys {
    const message = createBaseStaticKeys() as any;
    message.accessKeyId = object.accessKeyId ?? "";
    message.secretAccessKey = object.secretAccessKey ?? "";
    message.sessionToken = object.sessionToken ?? "";
    return message;
  },
};

function createBaseAnonymous(): Anonymous {
  return {};
}

export const Anonymous: MessageFns<Anonymous> = {
  encode(_: Anonymous, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Anonymous {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseAnonymous() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Anonymous>): Anonymous {
    return Anonymous.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<Anonymous>): Anonymous {
    const message = createBaseAnonymous() as any;
    return message;
  },
};

function createBaseStatusRequest(): StatusRequest {
  return {};
}

export const StatusRequest: MessageFns<StatusRequest> = {
  encode(_: StatusRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StatusRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStatusRequest() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StatusRequest>): StatusRequest {
    return StatusRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<StatusRequest>): StatusRequest {
    const message = createBaseStatusRequest() as any;
    return message;
  },
};

function createBaseStatusResponse(): StatusResponse {
  return {
    phase: 0,
    message: "",
    bucketName: "",
    driverVersion: "",
    openUploads: 0,
    openFiles: 0,
    secondsSinceS3Success: 0,
    pid: 0,
  };
}

export const StatusResponse: MessageFns<StatusResponse> = {
  encode(message: StatusResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.phase !== 0) {
      writer.uint32(8).int32(message.phase);
    }
    if (message.message !== "") {
      writer.uint32(18).string(message.message);
    }
    if (message.bucketName !== "") {
      writer.uint32(26).string(message.bucketName);
    }
    if (message.driverVersion !== "") {
      writer.uint32(34).string(message.driverVersion);
    }
    if (message.openUploads !== 0) {
      writer.uint32(40).uint32(message.openUploads);
    }
    if (message.openFiles !== 0) {
      writer.uint32(48).uint32(message.openFiles);
    }
    if (message.secondsSinceS3Success !== 0) {
      writer.uint32(57).double(message.secondsSinceS3Success);
    }
    if (message.pid !== 0) {
      writer.uint32(64).uint32(message.pid);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StatusResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStatusResponse() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.phase = reader.int32() as any;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.message = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.bucketName = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.driverVersion = reader.string();
            continue;
          }
          case 5: {
            if (tag !== 40) {
              break;
            }

            message.openUploads = reader.uint32();
            continue;
          }
          case 6: {
            if (tag !== 48) {
              break;
            }

            message.openFiles = reader.uint32();
            continue;
          }
          case 7: {
            if (tag !== 57) {
              break;
            }

            message.secondsSinceS3Success = reader.double();
            continue;
          }
          case 8: {
            if (tag !== 64) {
              break;
            }

            message.pid = reader.uint32();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StatusResponse>): StatusResponse {
    return StatusResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StatusResponse>): StatusResponse {
    const message = createBaseStatusResponse() as any;
    message.phase = object.phase ?? 0;
    message.message = object.message ?? "";
    message.bucketName = object.bucketName ?? "";
    message.driverVersion = object.driverVersion ?? "";
    message.openUploads = object.openUploads ?? 0;
    message.openFiles = object.openFiles ?? 0;
    message.secondsSinceS3Success = object.secondsSinceS3Success ?? 0;
    message.pid = object.pid ?? 0;
    return message;
  },
};

function createBaseUpdateCredentialsRequest(): UpdateCredentialsRequest {
  return { credentials: undefined, skipCheck: false };
}

export const UpdateCredentialsRequest: MessageFns<UpdateCredentialsRequest> = {
  encode(message: UpdateCredentialsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.credentials !== undefined) {
      Credentials.encode(message.credentials, writer.uint32(10).fork()).join();
    }
    if (message.skipCheck !== false) {
      writer.uint32(16).bool(message.skipCheck);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UpdateCredentialsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUpdateCredentialsRequest() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.credentials = Credentials.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.skipCheck = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<UpdateCredentialsRequest>): UpdateCredentialsRequest {
    return UpdateCredentialsRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<UpdateCredentialsRequest>): UpdateCredentialsRequest {
    const message = createBaseUpdateCredentialsRequest() as any;
    message.credentials = (object.credentials !== undefined && object.credentials !== null)
      ? Credentials.fromPartial(object.credentials)
      : undefined;
    message.skipCheck = object.skipCheck ?? false;
    return message;
  },
};

function createBaseUpdateCredentialsResponse(): UpdateCredentialsResponse {
  return {};
}

export const UpdateCredentialsResponse: MessageFns<UpdateCredentialsResponse> = {
  encode(_: UpdateCredentialsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UpdateCredentialsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUpdateCredentialsResponse() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<UpdateCredentialsResponse>): UpdateCredentialsResponse {
    return UpdateCredentialsResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<UpdateCredentialsResponse>): UpdateCredentialsResponse {
    const message = createBaseUpdateCredentialsResponse() as any;
    return message;
  },
};

function createBaseHandOverRequest(): HandOverRequest {
  return {};
}

export const HandOverRequest: MessageFns<HandOverRequest> = {
  encode(_: HandOverRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): HandOverRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseHandOverRequest() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<HandOverRequest>): HandOverRequest {
    return HandOverRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<HandOverRequest>): HandOverRequest {
    const message = createBaseHandOverRequest() as any;
    return message;
  },
};

function createBaseHandOverResponse(): HandOverResponse {
  return { state: Buffer.alloc(0) };
}

export const HandOverResponse: MessageFns<HandOverResponse> = {
  encode(message: HandOverResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.state.length !== 0) {
      writer.uint32(10).bytes(message.state);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): HandOverResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseHandOverResponse() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.state = Buffer.from(reader.bytes());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<HandOverResponse>): HandOverResponse {
    return HandOverResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<HandOverResponse>): HandOverResponse {
    const message = createBaseHandOverResponse() as any;
    message.state = object.state ?? Buffer.alloc(0);
    return message;
  },
};

function createBaseStopRequest(): StopRequest {
  return { force: false };
}

export const StopRequest: MessageFns<StopRequest> = {
  encode(message: StopRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.force !== false) {
      writer.uint32(8).bool(message.force);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StopRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStopRequest() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.force = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StopRequest>): StopRequest {
    return StopRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StopRequest>): StopRequest {
    const message = createBaseStopRequest() as any;
    message.force = object.force ?? false;
    return message;
  },
};

function createBaseStopResponse(): StopResponse {
  return { lostUploads: [] };
}

export const StopResponse: MessageFns<StopResponse> = {
  encode(message: StopResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.lostUploads) {
      writer.uint32(10).string(v!);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StopResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStopResponse() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.lostUploads.push(reader.string());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StopResponse>): StopResponse {
    return StopResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StopResponse>): StopResponse {
    const message = createBaseStopResponse() as any;
    message.lostUploads = object.lostUploads?.map((e) => e) || [];
    return message;
  },
};

export type MountpointDefinition = typeof MountpointDefinition;
export const MountpointDefinition = {
  name: "Mountpoint",
  fullName: "s3csi.mountpoint.v1.Mountpoint",
  methods: {
    /**
     * Takes the mount over: the fd was sent beforehand with the same token. Returns when the file system answers the
     * kernel, or with the true cause. A second call with equal options is answered from the running state.
     */
    mount: {
      name: "Mount",
      requestType: MountRequest as typeof MountRequest,
      requestStream: false,
      responseType: MountResponse as typeof MountResponse,
      responseStream: false,
      options: {},
    },
    /** What the daemon is doing now. Never blocks on S3. */
    status: {
      name: "Status",
      requestType: StatusRequest as typeof StatusRequest,
      requestStream: false,
      responseType: StatusResponse as typeof StatusResponse,
      responseStream: false,
      options: {},
    },
    /** New credentials for the running mount. Checked against S3 before the old ones are dropped, unless told not to. */
    updateCredentials: {
      name: "UpdateCredentials",
      requestType: UpdateCredentialsRequest as typeof UpdateCredentialsRequest,
      requestStream: false,
      responseType: UpdateCredentialsResponse as typeof UpdateCredentialsResponse,
      responseStream: false,
      options: {},
    },
    /** Stops serving but keeps the connection: the state another process needs to go on, after which this one exits 0. */
    handOver: {
      name: "HandOver",
      requestType: HandOverRequest as typeof HandOverRequest,
      requestStream: false,
      responseType: HandOverResponse as typeof HandOverResponse,
      responseStream: false,
      options: {},
    },
    /** Ends the mount: finishes uploads within the deadline of the call, then exits 0. */
    stop: {
      name: "Stop",
      requestType: StopRequest as typeof StopRequest,
      requestStream: false,
      responseType: StopResponse as typeof StopResponse,
      responseStream: false,
      options: {},
    },
  },
} as const;

export interface MountpointServiceImplementation<CallContextExt = {}> {
  /**
   * Takes the mount over: the fd was sent beforehand with the same token. Returns when the file system answers the
   * kernel, or with the true cause. A second call with equal options is answered from the running state.
   */
  mount(request: MountRequest, context: CallContext & CallContextExt): Promise<DeepPartial<MountResponse>>;
  /** What the daemon is doing now. Never blocks on S3. */
  status(request: StatusRequest, context: CallContext & CallContextExt): Promise<DeepPartial<StatusResponse>>;
  /** New credentials for the running mount. Checked against S3 before the old ones are dropped, unless told not to. */
  updateCredentials(
    request: UpdateCredentialsRequest,
    context: CallContext & CallContextExt,
  ): Promise<DeepPartial<UpdateCredentialsResponse>>;
  /** Stops serving but keeps the connection: the state another process needs to go on, after which this one exits 0. */
  handOver(request: HandOverRequest, context: CallContext & CallContextExt): Promise<DeepPartial<HandOverResponse>>;
  /** Ends the mount: finishes uploads within the deadline of the call, then exits 0. */
  stop(request: StopRequest, context: CallContext & CallContextExt): Promise<DeepPartial<StopResponse>>;
}

export interface MountpointClient<CallOptionsExt = {}> {
  /**
   * Takes the mount over: the fd was sent beforehand with the same token. Returns when the file system answers the
   * kernel, or with the true cause. A second call with equal options is answered from the running state.
   */
  mount(request: DeepPartial<MountRequest>, options?: CallOptions & CallOptionsExt): Promise<MountResponse>;
  /** What the daemon is doing now. Never blocks on S3. */
  status(request: DeepPartial<StatusRequest>, options?: CallOptions & CallOptionsExt): Promise<StatusResponse>;
  /** New credentials for the running mount. Checked against S3 before the old ones are dropped, unless told not to. */
  updateCredentials(
    request: DeepPartial<UpdateCredentialsRequest>,
    options?: CallOptions & CallOptionsExt,
  ): Promise<UpdateCredentialsResponse>;
  /** Stops serving but keeps the connection: the state another process needs to go on, after which this one exits 0. */
  handOver(request: DeepPartial<HandOverRequest>, options?: CallOptions & CallOptionsExt): Promise<HandOverResponse>;
  /** Ends the mount: finishes uploads within the deadline of the call, then exits 0. */
  stop(request: DeepPartial<StopRequest>, options?: CallOptions & CallOptionsExt): Promise<StopResponse>;
}

type Builtin = Date | Function | Uint8Array | string | number | boolean | bigint | undefined;

export type DeepPartial<T> = T extends bigint ? string | number | bigint
  : T extends Builtin ? T : T extends globalThis.Array<infer U> ? globalThis.Array<DeepPartial<U>>
  : T extends ReadonlyArray<infer U> ? ReadonlyArray<DeepPartial<U>>
  : T extends { readonly $case: string }
    ? { [K in keyof Omit<T, "$case">]?: DeepPartial<T[K]> } & { readonly $case: T["$case"] }
  : T extends {} ? { [K in keyof T]?: DeepPartial<T[K]> }
  : Partial<T>;

export interface MessageFns<T> {
  encode(message: T, writer?: BinaryWriter): BinaryWriter;
  decode(input: BinaryReader | Uint8Array, length?: number): T;
  create(base?: DeepPartial<T>): T;
  fromPartial(object: DeepPartial<T>): T;
}
