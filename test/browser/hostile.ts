// Texts of a hostile receiver and names by a hostile member. Each calls `caught` if it is treated as more than text.
export const HOSTILE = [
  '<script>caught(1)</script>',
  '<img src=x onerror=caught(2)>',
  '"><svg/onload=caught(3)>',
  "javascript:caught(4)//'><a href=javascript:caught(5)>x</a>",
  '</pre></code><iframe srcdoc="<script>parent.caught(6)</script>">',
  '<details open ontoggle=caught(7)><style>*{display:none}</style>',
  '{{constructor.constructor("caught(8)")()}}',
];
