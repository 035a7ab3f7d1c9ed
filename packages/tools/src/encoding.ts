// What the tools know of text encodings: find out, decode, encode back.
export {
  createStreamDecoder,
  decodeBytes,
  decodePiece,
  type StreamDecoder,
} from "./encoding/decode.ts";
export { createEncodingDetector, type Detection, detectEncoding, type EncodingDetector } from "./encoding/detect.ts";
export { encodeFile, encodeText } from "./encoding/encode.ts";
export {
  bomBytes,
  ENCODING_NAMES,
  ENCODING_SYNONYMS,
  type EncodingName,
  encodingOfBom,
  type FileEncoding,
  isUtf16,
  UTF8,
} from "./encoding/names.ts";
