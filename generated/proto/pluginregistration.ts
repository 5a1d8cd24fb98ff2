// Generated from proto/pluginregistration.proto by `npm run codegen`. Do not edit: change the source and run it again.

/* eslint-disable */
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import type { CallContext, CallOptions } from "nice-grpc-common";

export const protobufPackage = "pluginregistration";

export const protobufFileName = "pluginregistration.proto";

/** To regenerate api.pb.go run `hack/update-codegen.sh protobindings` */

/** PluginInfo is the message sent from a plugin to the Kubelet pluginwatcher for plugin registration */
export interface PluginInfo {
  /** Type of the Plugin. CSIPlugin or DevicePlugin */
  readonly type: string;
  /**
   * Plugin name that uniquely identifies the plugin for the given plugin type.
   * For DevicePlugin, this is the resource name that the plugin manages and
   * should follow the extended resource name convention.
   * For CSI, this is the CSI driver registrar name.
   */
  readonly name: string;
  /**
   * Optional endpoint location. If found set by Kubelet component,
   * Kubelet component will use this endpoint for specific requests.
   * This allows the plugin to register using one endpoint and possibly use
   * a different socket for control operations. CSI uses this model to delegate
   * its registration external from the plugin.
   */
  readonly endpoint: string;
  /**
   * Plugin service API versions the plugin supports.
   * For DevicePlugin, this maps to the deviceplugin API versions the
   * plugin supports at the given socket.
   * The Kubelet component communicating with the plugin should be able
   * to choose any preferred version from this list, or returns an error
   * if none of the listed versions is supported.
   */
  readonly supportedVersions: readonly string[];
}

/** RegistrationStatus is the message sent from Kubelet pluginwatcher to the plugin for notification on registration status */
export interface RegistrationStatus {
  /** True if plugin gets registered successfully at Kubelet */
  readonly pluginRegistered: boolean;
  /** Error message in case plugin fails to register, empty string otherwise */
  readonly error: string;
}

/** RegistrationStatusResponse is sent by plugin to kubelet in response to RegistrationStatus RPC */
export interface RegistrationStatusResponse {
}

/** InfoRequest is the empty request message from Kubelet */
export interface InfoRequest {
}

function createBasePluginInfo(): PluginInfo {
  return { type: "", name: "", endpoint: "", supportedVersions: [] };
}

export const PluginInfo: MessageFns<PluginInfo> = {
  encode(message: PluginInfo, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.type !== "") {
      writer.uint32(10).string(message.type);
    }
    if (message.name !== "") {
      writer.uint32(18).string(message.name);
    }
    if (message.endpoint !== "") {
      writer.uint32(26).string(message.endpoint);
    }
    for (const v of message.supportedVersions) {
      writer.uint32(34).string(v!);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PluginInfo {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePluginInfo() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.type = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.endpoint = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.supportedVersions.push(reader.string());
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

  create(base?: DeepPartial<PluginInfo>): PluginInfo {
    return PluginInfo.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PluginInfo>): PluginInfo {
    const message = createBasePluginInfo() as any;
    message.type = object.type ?? "";
    message.name = object.name ?? "";
    message.endpoint = object.endpoint ?? "";
    message.supportedVersions = object.supportedVersions?.map((e) => e) || [];
    return message;
  },
};

function createBaseRegistrationStatus(): RegistrationStatus {
  return { pluginRegistered: false, error: "" };
}

export const RegistrationStatus: MessageFns<RegistrationStatus> = {
  encode(message: RegistrationStatus, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.pluginRegistered !== false) {
      writer.uint32(8).bool(message.pluginRegistered);
    }
    if (message.error !== "") {
      writer.uint32(18).string(message.error);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RegistrationStatus {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRegistrationStatus() as any;
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.pluginRegistered = reader.bool();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.error = reader.string();
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

  create(base?: DeepPartial<RegistrationStatus>): RegistrationStatus {
    return RegistrationStatus.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RegistrationStatus>): RegistrationStatus {
    const message = createBaseRegistrationStatus() as any;
    message.pluginRegistered = object.pluginRegistered ?? false;
    message.error = object.error ?? "";
    return message;
  },
};

function createBaseRegistrationStatusResponse(): RegistrationStatusResponse {
  return {};
}

export const RegistrationStatusResponse: MessageFns<RegistrationStatusResponse> = {
  encode(_: RegistrationStatusResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RegistrationStatusResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRegistrationStatusResponse() as any;
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

  create(base?: DeepPartial<RegistrationStatusResponse>): RegistrationStatusResponse {
    return RegistrationStatusResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<RegistrationStatusResponse>): RegistrationStatusResponse {
    const message = createBaseRegistrationStatusResponse() as any;
    return message;
  },
};

function createBaseInfoRequest(): InfoRequest {
  return {};
}

export const InfoRequest: MessageFns<InfoRequest> = {
  encode(_: InfoRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): InfoRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseInfoRequest() as any;
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

  create(base?: DeepPartial<InfoRequest>): InfoRequest {
    return InfoRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<InfoRequest>): InfoRequest {
    const message = createBaseInfoRequest() as any;
    return message;
  },
};

/** Registration is the service advertised by the Plugins. */
export type RegistrationDefinition = typeof RegistrationDefinition;
export const RegistrationDefinition = {
  name: "Registration",
  fullName: "pluginregistration.Registration",
  methods: {
    getInfo: {
      name: "GetInfo",
      requestType: InfoRequest as typeof InfoRequest,
      requestStream: false,
      responseType: PluginInfo as typeof PluginInfo,
      responseStream: false,
      options: {},
    },
    notifyRegistrationStatus: {
      name: "NotifyRegistrationStatus",
      requestType: RegistrationStatus as typeof RegistrationStatus,
      requestStream: false,
      responseType: RegistrationStatusResponse as typeof RegistrationStatusResponse,
      responseStream: false,
      options: {},
    },
  },
} as const;

export interface RegistrationServiceImplementation<CallContextExt = {}> {
  getInfo(request: InfoRequest, context: CallContext & CallContextExt): Promise<DeepPartial<PluginInfo>>;
  notifyRegistrationStatus(
    request: RegistrationStatus,
    context: CallContext & CallContextExt,
  ): Promise<DeepPartial<RegistrationStatusResponse>>;
}

export interface RegistrationClient<CallOptionsExt = {}> {
  getInfo(request: DeepPartial<InfoRequest>, options?: CallOptions & CallOptionsExt): Promise<PluginInfo>;
  notifyRegistrationStatus(
    request: DeepPartial<RegistrationStatus>,
    options?: CallOptions & CallOptionsExt,
  ): Promise<RegistrationStatusResponse>;
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
