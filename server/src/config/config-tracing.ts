// Reads the standard OpenTelemetry variables for the export of traces. Returns undefined without an exporter, and a
// sentence if a variable is invalid.

import type { TracingSettings } from '../kit/telemetry/otel.ts';
import { list } from './config-values.ts';
import type { SettingName } from './settings.ts';

type Find = (name: SettingName) => string | undefined;

export function readTracing(find: Find): TracingSettings | string | undefined {
  const [name, endpoint] = endpointOf(find);
  if (endpoint === undefined || find('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const exporters = list(find('OTEL_TRACES_EXPORTER') ?? 'otlp');
  if (exporters.join() === 'none') return undefined;
  if (exporters.join() !== 'otlp') return 'OTEL_TRACES_EXPORTER must be `otlp` or `none`.';
  // The sentence omits the text, which may contain a password.
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    return `${name} must be an http or https address.`;
  const protocol = find('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? find('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/protobuf';
  if (protocol !== 'http/protobuf' && protocol !== 'http/json') {
    return `OTEL_EXPORTER_OTLP_PROTOCOL: "${protocol}" is not spoken here. Use \`http/protobuf\` or \`http/json\`.`;
  }
  const sampler = readSampler(find);
  return typeof sampler === 'string' ? sampler : { protocol, serviceName: find('OTEL_SERVICE_NAME'), sampler };
}

function endpointOf(find: Find): [SettingName, string | undefined] {
  const own = find('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  if (own !== undefined) return ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own];
  return ['OTEL_EXPORTER_OTLP_ENDPOINT', find('OTEL_EXPORTER_OTLP_ENDPOINT')];
}

function readSampler(find: Find): TracingSettings['sampler'] | string {
  const name = find('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const [, parent, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? [];
  if (kind === undefined) {
    return 'OTEL_TRACES_SAMPLER must be `always_on`, `always_off` or `traceidratio`, each with `parentbased_` before it or without.';
  }
  const ratio = Number(find('OTEL_TRACES_SAMPLER_ARG') ?? '1');
  if (!(ratio >= 0 && ratio <= 1)) return 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.';
  const share = kind === 'always_on' ? 1 : kind === 'always_off' ? 0 : ratio;
  return { share, followsParent: parent !== undefined };
}
