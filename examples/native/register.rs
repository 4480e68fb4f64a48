// SPDX-License-Identifier: Apache-2.0
//! Opens the first RDMA device and registers memory: libibverbs by its C declarations.
//!
//!     rustc -C link-arg=-l:libibverbs.so.1 register.rs
//!     queuepair run -- ./register

use std::ffi::{c_char, c_int, c_void, CStr};
use std::io::Error;

/// `struct ibv_mr`.
#[repr(C)]
struct Mr {
    context: *mut c_void,
    pd: *mut c_void,
    addr: *mut c_void,
    length: usize,
    handle: u32,
    lkey: u32,
    rkey: u32,
}

const LOCAL_WRITE: c_int = 1;
const REMOTE_WRITE: c_int = 2;

extern "C" {
    fn ibv_get_device_list(count: *mut c_int) -> *mut *mut c_void;
    fn ibv_free_device_list(list: *mut *mut c_void);
    fn ibv_get_device_name(device: *mut c_void) -> *const c_char;
    fn ibv_open_device(device: *mut c_void) -> *mut c_void;
    fn ibv_close_device(context: *mut c_void) -> c_int;
    fn ibv_alloc_pd(context: *mut c_void) -> *mut c_void;
    fn ibv_dealloc_pd(pd: *mut c_void) -> c_int;
    fn ibv_reg_mr(pd: *mut c_void, addr: *mut c_void, length: usize, access: c_int) -> *mut Mr;
    fn ibv_dereg_mr(mr: *mut Mr) -> c_int;
}

/// What a verb says by a null pointer: `errno`.
fn checked<T>(pointer: *mut T, verb: &str) -> *mut T {
    if pointer.is_null() {
        panic!("{verb}: {}", Error::last_os_error());
    }
    pointer
}

fn main() {
    let mut memory = vec![0u8; 4096];
    let mut count = 0;
    // Sound because each pointer is used between its verb of creation and that of destruction, and
    // the memory lives longer than its registration.
    unsafe {
        let list = checked(ibv_get_device_list(&mut count), "ibv_get_device_list");
        assert!(count > 0, "there is no RDMA device");
        let name = CStr::from_ptr(ibv_get_device_name(*list)).to_string_lossy().into_owned();
        let context = checked(ibv_open_device(*list), "ibv_open_device");
        ibv_free_device_list(list);
        let pd = checked(ibv_alloc_pd(context), "ibv_alloc_pd");
        let addr = memory.as_mut_ptr().cast();
        let mr = ibv_reg_mr(pd, addr, memory.len(), LOCAL_WRITE | REMOTE_WRITE);
        let mr = checked(mr, "ibv_reg_mr");
        println!("{name}: {} bytes, rkey {:#x}", (*mr).length, (*mr).rkey);
        assert_eq!(ibv_dereg_mr(mr), 0);
        assert_eq!(ibv_dealloc_pd(pd), 0);
        assert_eq!(ibv_close_device(context), 0);
    }
}
