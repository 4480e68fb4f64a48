// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.verbs.Sge;
import java.util.List;

/**
 * A posted receive.
 *
 * @param wrId returned in the completion
 * @param sges where the message goes
 * @param lengthBytes room of all entries together
 */
public record RecvWqe(long wrId, List<Sge> sges, long lengthBytes) {}
