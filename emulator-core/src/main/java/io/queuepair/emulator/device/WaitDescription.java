// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import java.util.function.Supplier;

/**
 * Description of the wait of a thread, for EDEADLK and reports.
 *
 * @param verb verb that waits
 * @param what names what would end the wait, as a noun; called only for a report
 */
public record WaitDescription(String verb, Supplier<String> what) {}
