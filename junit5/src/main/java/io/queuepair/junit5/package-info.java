// SPDX-License-Identifier: Apache-2.0
/**
 * The JUnit extension: {@link io.queuepair.junit5.QueuepairTest} and the annotations beside it,
 * what tests get as parameters, and assertions about packets and completions. It uses the emulator
 * as any program does; nothing here knows how a device works.
 */
package io.queuepair.junit5;
