/**
 * Saves notes.
 */
export class Store extends Base {
  static limit = 8;
  handler = () => 1;
  #secret() { return 2; }
  // Writes one.
  async save(note) {
    const local = 1;
    const inner = () => local;
    return inner();
  }
  get size() { return 1; }
}
export function top() { return 1; }
function* numbers() { yield 1; }
// An arrow.
export const arrow = async (a) => a;
const f = function named() { return 1; };
const LIMIT = 8;
let { a, b } = LIMIT;
module.exports.exported = function () { return 1; };
Store.prototype.patched = function () { return 1; };
export const api = {
  get() { return 1; },
  post: () => 1,
  put: function () { return 1; },
  count: 1,
};
describe('a block', () => {
  const hidden = 1;
  function helper() { return hidden; }
});
export default function () { return 1; }
