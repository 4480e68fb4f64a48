package io.queuepair.emulator.queue;

/** Is told when work ends, whether there is a completion or not. Changes nothing of it. */
public interface WorkWatch {
  /** Nobody wants to know. */
  WorkWatch NONE =
      new WorkWatch() {
        @Override
        public void ended(SendWqe wqe) {}

        @Override
        public void ended(RecvWqe wqe) {}
      };

  /** A send has succeeded or failed, and touches its memory no more. */
  void ended(SendWqe wqe);

  /** A receive is filled or given back. */
  void ended(RecvWqe wqe);
}
