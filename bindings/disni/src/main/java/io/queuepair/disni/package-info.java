// SPDX-License-Identifier: Apache-2.0
/**
 * Programs for DiSNI 2.0 and 2.1 on the emulated device: a provider behind DiSNI's three abstract
 * classes, which turns its calls into those of {@code io.queuepair.verbs} and {@code
 * io.queuepair.rdmacm}. What programs call is {@link io.queuepair.disni.DisniEmulation}, or nothing
 * at all with the Java agent and the JUnit listener.
 */
package io.queuepair.disni;
