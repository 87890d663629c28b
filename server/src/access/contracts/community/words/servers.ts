// The parts of the names and descriptions of synthetic servers.
import type { CharacterSet } from '../../declaration.ts';

interface ServerVocabulary {
  first: readonly string[];
  second: readonly string[];
  topics: readonly string[];
  places: readonly (readonly [locale: string, timezone: string])[];
}

export const SERVER_WORDS: Record<CharacterSet, ServerVocabulary> = {
  plain: {
    first: ['Harbour', 'Copper', 'Quiet', 'Northern', 'Paper', 'Velvet', 'Signal', 'Amber', 'Tidal', 'Lantern'],
    second: ['Lights', 'Workshop', 'Orchard', 'Collective', 'Observatory', 'Guild', 'Kitchen', 'Archive', 'Arcade'],
    topics: [
      'Night photographers of the northern ports.',
      'Board games, from ancient to printed last week.',
      'Makers who repair rather than replace.',
      'Sourdough, ferments and long arguments about salt.',
      'A study group for the patient.',
      'Synthesisers, patch by patch.',
      'Translators helping translators.',
      'Open data about trains.',
    ],
    places: [
      ['en-GB', 'Europe/London'],
      ['de-DE', 'Europe/Berlin'],
      ['fr-FR', 'Europe/Paris'],
      ['pt-BR', 'America/Sao_Paulo'],
      ['ja-JP', 'Asia/Tokyo'],
      ['en-US', 'America/Chicago'],
    ],
  },
  // Covers right-to-left text, emoji of several code points, combining marks, wide characters, astral planes, and a
  // long word without a break.
  unicode: {
    first: [
      'مرفأ',
      'ספינה',
      '夜の港',
      '한밤의',
      'Пристань',
      'Ünïcödé',
      'Z\u0351a\u0308lgo\u0336',
      '👩‍🚀👨‍👩‍👧‍👦',
      '𝕳𝖆𝖗𝖇𝖔𝖚𝖗',
      'नौका',
    ],
    second: [
      'الأنوار',
      'אורות',
      '灯火会',
      '작업실',
      'мастерская',
      'Ærøskøbing',
      'e\u0301cole',
      '🏳️‍🌈🇺🇳',
      'Donaudampfschifffahrtsgesellschaftskapitänskajüte',
    ],
    topics: [
      'مصورو الموانئ ليلاً — كل خميس الساعة ١٩:٠٠.',
      'משחקי קופסה, from ancient עד printed last week.',
      '直すことを楽しむ人たちの集まり。',
      '빵과 발효, 그리고 소금에 대한 긴 토론 🧂.',
      '👩🏽‍💻 + 🧑‍🔧 = ❤️‍🔥',
      'Cafe\u0301 and café are the same to a reader and not to a computer.',
      'ﬁne ligatures, “curly quotes”, ½ measures… and a\u00a0space that does not break.',
      'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
    ],
    places: [
      ['ar-EG', 'Africa/Cairo'],
      ['he-IL', 'Asia/Jerusalem'],
      ['zh-Hant-TW', 'Asia/Taipei'],
      ['ko-KR', 'Asia/Seoul'],
      ['hi-IN', 'Asia/Kolkata'],
      ['is-IS', 'Atlantic/Reykjavik'],
    ],
  },
};
