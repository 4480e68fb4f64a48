// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs of the system's libibverbs, through the foreign function API of JDK 22 and later. A
 * program needs no class of this package: {@link io.queuepair.verbs.Verbs#devices()} finds it.
 *
 * <p>Each object has the address of its C structure. Verbs that create, change and destroy are
 * {@link ControlFunction}s; those of the data path go through the function pointers of the context,
 * as the inline functions of {@code verbs.h} do, and write into memory that is allocated once.
 */
package io.queuepair.nativeprovider;
