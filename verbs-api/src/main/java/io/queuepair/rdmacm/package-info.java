// SPDX-License-Identifier: Apache-2.0
/**
 * The connection manager's API, librdmacm: addresses, connections and multicast groups by IP
 * address and port. Shaped like {@link io.queuepair.verbs}: each function of the library is a
 * method on its first argument, annotated with its C name by {@link io.queuepair.verbs.Verb}. A
 * program starts with an {@link io.queuepair.rdmacm.RdmaCm}, which stands for the host that it runs
 * on.
 *
 * <p>As in C, an operation that is asynchronous returns at once, and an {@link
 * io.queuepair.rdmacm.RdmaCmEvent} says what became of it; with an id in synchronous mode, which
 * has no channel, it waits for that event. A call that is refused throws {@link
 * io.queuepair.verbs.VerbsException}, and nothing has changed. A connection that is refused is an
 * event, which explains itself. Null where a description does not offer it is a {@link
 * NullPointerException} that names the parameter. No implementation lives here; the package uses
 * the JDK and {@code io.queuepair.verbs}.
 */
@NullMarked
package io.queuepair.rdmacm;

import org.jspecify.annotations.NullMarked;
