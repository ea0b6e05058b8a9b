import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DoorSounds } from './door-sounds.ts';

const gestures = ['pointerdown', 'keydown'] as const;

export const useDoorSounds = (world: SimulatorState | null) => {
  const [sounds] = useState(() => new DoorSounds());
  const [isMuted, setMuted] = useState(sounds.isMuted);
  const unlocked = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const start = (): void => sounds.start();
    for (const gesture of gestures) addEventListener(gesture, start);
    return () => {
      for (const gesture of gestures) removeEventListener(gesture, start);
    };
  }, [sounds]);
  useEffect(() => {
    const isBuzzing = world?.controllers.some(
      ({ power, stations }) => power === 'on' && stations.some(({ buzzer }) => buzzer),
    );
    sounds.setBuzzer(isBuzzing ?? false);
    const now = (world?.doors ?? []).filter(door => door.is_unlocked).map(({ key }) => key);
    if (now.some(key => !unlocked.current.has(key))) sounds.playBolt();
    unlocked.current = new Set(now);
  }, [sounds, world]);
  const toggle = (): void => {
    sounds.mute(!isMuted);
    setMuted(!isMuted);
  };
  return { isMuted, toggle };
};
