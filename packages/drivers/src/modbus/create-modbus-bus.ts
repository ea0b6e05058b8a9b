import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { ModbusBus } from './modbus-bus.ts';
import { ModbusRtuPort } from './modbus-rtu-port.ts';
import { ModbusTcpPort } from './modbus-tcp-port.ts';

interface LineOptions {
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
}

/** Time that a board may take, in addition to the time on the line. */
const RESPONSE_TIMEOUT_MS = 200;
const NETWORK_TIMEOUT_MS = 1_000;
/** Start bit, eight data bits, parity, stop bit. */
const BITS_PER_CHARACTER = 11;
const SHORTEST_SILENCE_MS = 5;

const transmissionMs = (characters: number, baud_rate: number): number =>
  Math.ceil((characters * BITS_PER_CHARACTER * 1_000) / baud_rate);

/** The gap of 3.5 characters that separates two requests. */
export const computeModbusSilenceMs = (baud_rate: number): number =>
  Math.max(SHORTEST_SILENCE_MS, transmissionMs(3.5, baud_rate));

/** Modbus RTU on a serial line. */
export const createModbusRtuBus = ({
  line,
  clock,
  baud_rate,
}: LineOptions & { readonly baud_rate: number }): ModbusBus =>
  new ModbusBus({
    line,
    port: new ModbusRtuPort(line),
    clock,
    silence_ms: computeModbusSilenceMs(baud_rate),
    timeoutFor: bytes => RESPONSE_TIMEOUT_MS + transmissionMs(bytes, baud_rate),
  });

/** Modbus TCP on a network connection. */
export const createModbusTcpBus = ({ line, clock }: LineOptions): ModbusBus =>
  new ModbusBus({
    line,
    port: new ModbusTcpPort(line),
    clock,
    silence_ms: 0,
    timeoutFor: () => NETWORK_TIMEOUT_MS,
  });
