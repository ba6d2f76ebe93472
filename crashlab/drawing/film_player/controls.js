/* The buttons, the track and the speed of a film. */

import { icon, make, press } from './elements.js';

/** Return the bar that plays a film, with `more` buttons at its end. */
export function controls(reel, ...more) {
  const { film } = reel;
  const slider = make('input', { type: 'range', min: 0, max: 0, value: 0, step: 1, 'aria-label': 'Beat' });
  slider.oninput = () => reel.jump(Number(slider.value), false);
  const track = make('div', { className: 'track' }, slider);
  const count = make('span', { className: 'count' }); // of fixed width
  const first = press('To the beginning (Home)', 'first', () => reel.jump(0));
  const back = press('One beat back (←)', 'back', () => reel.jump(reel.beat - 1));
  const on = press('', 'on', reel.goOn);
  const end = press('To the end (End)', 'end', () => reel.jump(film.last));
  const stopBack = press('', 'stopOn', () => reel.jumpToStop(-1));
  const stopOn = press('', 'stopOn', () => reel.jumpToStop(1));
  const plays = press('', 'play', reel.toggle, 'play');
  const above = press('Step over the call (o)', 'over', reel.over);
  stopBack.prepend('‹');
  stopOn.append('›');
  const speeds = make('select', { title: 'How fast it plays (+ and −)', 'aria-label': 'Speed', className: 'far' });
  speeds.onchange = () => reel.setSpeed(speeds.value);
  const element = make('div', { className: 'bar', role: 'group', 'aria-label': 'Controls' });
  element.append(first, stopBack, back, plays, on, above, stopOn, end, track, count, speeds, ...more);
  const name = (button, words) => { button.title = words; button.setAttribute('aria-label', words); };
  let [shown, isPlaying] = [null, null];
  function tell() {
    if (shown !== film.beats) {
      shown = film.beats;
      count.style.minWidth = `calc(${2 * Math.max(String(film.last).length, 2) + 1.6}ch + 8px)`;
      speeds.replaceChildren(...Object.keys(film.milliseconds).map(speed => make('option', { value: speed }, speed)));
      track.querySelectorAll('i').forEach(mark => mark.remove());
      film.stops.slice(0, 300).forEach(at => {
        track.append(make('i', { style: `left: calc(8px + (100% - 16px) * ${at / film.last})` }));
      });
    }
    if (isPlaying !== reel.playing) {
      isPlaying = reel.playing;
      plays.replaceChildren(icon(reel.playing ? 'pause' : 'play'));
      name(plays, `${reel.playing ? 'Pause' : 'Play'} (space)`);
    }
    name(on, reel.waits() ? 'Go on (→)' : 'One beat on (→)');
    on.classList.toggle('play', reel.waits());
    name(stopBack, `The ${reel.stop()} before (C)`);
    name(stopOn, `The next ${reel.stop()} (c)`);
    for (const star of [stopBack, stopOn]) {
      star.classList.toggle('hidden', Boolean(film.sources?.length) && !film.stops.length && !reel.hasAim);
      star.disabled = !film.stops.length && !reel.hasAim;
    }
    above.classList.toggle('hidden', !film.calls);
    [slider.max, slider.value, speeds.value] = [film.last, reel.beat, reel.speed];
    speeds.classList.toggle('hidden', speeds.length < 2);
    slider.setAttribute('aria-valuetext', film.beats[reel.beat].words);
    count.textContent = `${reel.beat} / ${film.last}`;
    first.disabled = back.disabled = reel.beat === 0;
    on.disabled = end.disabled = reel.beat >= reel.until();
  }
  return { element, tell };
}
