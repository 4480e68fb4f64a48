// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

/** Sockets that bring something from one of the glances on, also if they may sleep. */
final class FakeSockets implements IoHandler {
  private int glances;
  private int sleeps;
  private int found;
  private int until;

  /** Counts glances from here; 0 for at once. */
  void findAtGlance(int glance, int count) {
    until = glances + glance;
    found = count;
  }

  /** How often they were looked at without sleeping. */
  int glances() {
    return glances;
  }

  /** How often they were looked at by who would have slept. */
  int sleeps() {
    return sleeps;
  }

  @Override
  public int run(IoHandlerContext context) {
    if (context.canBlock()) {
      sleeps++;
    } else {
      glances++;
    }
    return glances >= until ? found : 0;
  }

  @Override
  public IoRegistration register(IoHandle handle) {
    return null;
  }

  @Override
  public void wakeup() {}

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return true;
  }

  /** A loop without timers, which gets a task after some questions. */
  static final class FakeLoop implements IoHandlerContext {
    private int questions = Integer.MAX_VALUE;

    void mayBlockFor(int count) {
      questions = count;
    }

    @Override
    public boolean canBlock() {
      return questions-- > 0;
    }

    @Override
    public long delayNanos(long currentTimeNanos) {
      return Long.MAX_VALUE;
    }

    @Override
    public long deadlineNanos() {
      return -1;
    }
  }
}
