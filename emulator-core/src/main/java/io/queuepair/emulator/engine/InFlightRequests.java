// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.wire.Payload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Outstanding work requests, in posting order. */
final class InFlightRequests {
  /** Numbers by request; keyed by identity, as equal requests may be posted twice. */
  private final IdentityHashMap<Object, Long> numbers = new IdentityHashMap<>();

  private final Map<Long, PostedRequest> posted = new LinkedHashMap<>();

  /** Number of completions that each completion queue still expects; never iterated. */
  private final IdentityHashMap<CompletionRing, Integer> expectedByRing = new IdentityHashMap<>();

  private long nextNumber;

  void add(Object request, PostedRequest postedRequest) {
    numbers.put(request, nextNumber);
    posted.put(nextNumber, postedRequest);
    nextNumber++;
    if (postedRequest.completions() != null) {
      expectedByRing.merge(postedRequest.completions(), 1, Integer::sum);
    }
  }

  /** Removes a request and returns its entry; null if it is not posted. */
  @Nullable PostedRequest remove(Object request) {
    Long number = numbers.remove(request);
    if (number == null) {
      return null;
    }
    PostedRequest postedRequest = posted.remove(number);
    if (postedRequest.completions() != null) {
      expectedByRing.computeIfPresent(
          postedRequest.completions(), (ring, count) -> count == 1 ? null : count - 1);
    }
    return postedRequest;
  }

  void removeAllOn(Object queue) {
    List<Object> gone = new ArrayList<>();
    numbers.forEach(
        (request, number) -> {
          if (posted.get(number).isOn(queue)) {
            gone.add(request);
          }
        });
    gone.forEach(this::remove);
  }

  /** Number of completions that a completion queue still expects. */
  int expectedBy(CompletionRing completions) {
    return expectedByRing.getOrDefault(completions, 0);
  }

  Collection<PostedRequest> all() {
    return posted.values();
  }

  /** Whether an outstanding request uses some of the same memory. */
  boolean overlap(List<Payload> views) {
    for (PostedRequest other : posted.values()) {
      for (Payload view : views) {
        if (other.overlaps(view)) {
          return true;
        }
      }
    }
    return false;
  }
}
