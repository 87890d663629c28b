// The texts of synthetic roadmap items.
import type { CharacterSet } from '../../declaration.ts';

type Idea = readonly [title: string, description: string, category: string];

export const ROADMAP_WORDS: Record<CharacterSet, readonly Idea[]> = {
  plain: [
    ['A calendar of meetups', 'One page with every meetup of the season, to subscribe to.', 'events'],
    ['Roles by interest', 'Members choose what they hear about, and are left alone otherwise.', 'moderation'],
    ['A library of recordings', 'Every talk, with chapters and a transcript.', 'archive'],
    ['Quieter notifications', 'One summary a day instead of one message an answer.', 'notifications'],
    ['A mentoring programme', 'Pairs of a beginner and somebody who remembers being one.', 'members'],
    ['Translated announcements', 'Each announcement in the three languages that most of us read.', 'announcements'],
    ['A shared tool shed', 'Who has what, and when it comes back.', 'members'],
    ['Monthly open hours', 'An hour in which the team answers whatever is asked.', 'events'],
  ],
  unicode: [
    ['تقويم اللقاءات', 'صفحة واحدة بكل لقاءات الموسم.', 'فعاليات'],
    ['ספריית הקלטות', 'כל הרצאה, with chapters and תמליל.', 'ארכיון'],
    ['静かな通知', '回答ごとではなく、一日に一度のまとめ。', '通知'],
    ['함께 쓰는 공구함', '누가 무엇을 가지고 있고 언제 돌려주는지 🔧.', '회원'],
    ['👩🏽‍🏫 ↔ 🧑‍🎓', 'Пары из новичка и того, кто помнит, как это бывает.', '👥'],
    [
      'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk',
      'Z\u0351a\u0308l\u0317g\u0334o\u0336, but planned.',
      'e\u0301te\u0301',
    ],
  ],
};
