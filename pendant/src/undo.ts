// SPDX-License-Identifier: BSD-3-Clause
/** A change that can be taken back; both ways may fail, and then nothing counts as done. */
export interface Change {
  label: string;
  apply: () => Promise<void>;
  revert: () => Promise<void>;
}

/** What was done, and what was taken back: at most `depth` of each. One change at a time. */
export class UndoStack {
  private done: Change[] = [];
  private undone: Change[] = [];
  private isBusy = false;

  constructor(private readonly depth = 50) {}

  get undoLabel(): string | null {
    return this.done[this.done.length - 1]?.label ?? null;
  }

  get redoLabel(): string | null {
    return this.undone[this.undone.length - 1]?.label ?? null;
  }

  async apply(change: Change): Promise<void> {
    await this.alone(change.apply);
    this.done = [...this.done, change].slice(-this.depth);
    this.undone = [];
  }

  async undo(): Promise<void> {
    const change = this.done[this.done.length - 1];
    if (!change) return;
    await this.alone(change.revert);
    this.done = this.done.slice(0, -1);
    this.undone = [...this.undone, change];
  }

  async redo(): Promise<void> {
    const change = this.undone[this.undone.length - 1];
    if (!change) return;
    await this.alone(change.apply);
    this.undone = this.undone.slice(0, -1);
    this.done = [...this.done, change];
  }

  private async alone(act: () => Promise<void>): Promise<void> {
    if (this.isBusy) throw new Error('one change at a time');
    this.isBusy = true;
    try {
      await act();
    } finally {
      this.isBusy = false;
    }
  }
}
