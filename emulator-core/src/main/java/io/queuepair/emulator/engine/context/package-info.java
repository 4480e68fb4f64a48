// SPDX-License-Identifier: Apache-2.0
/**
 * What requester and responder of a queue pair have in common: the device's memory and limits, the
 * completions they write, the receives they use, the path they send on.
 */
@NullMarked
package io.queuepair.emulator.engine.context;

import org.jspecify.annotations.NullMarked;
