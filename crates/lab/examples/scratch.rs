use reticent_lab::contextual::{*, env::*};
use reticent_lab::simulate::*;
use reticent_privacy::Epsilon;
struct Q; impl Progress for Q { fn trial(&self,_:usize,_:usize){} fn stop(&self)->bool{false} }
fn main(){ let a:Vec<String>=std::env::args().collect();
 let get=|n:&str,d:&str|a.iter().position(|x|x==n).map(|i|a[i+1].clone()).unwrap_or(d.to_string());
 let users:u64=get("-n","10000").parse().unwrap(); let trials:u32=get("-t","6").parse().unwrap();
 let dims=get("-d","2").parse().ok(); let arms=get("-k","").parse().ok();
 let group=get("-g","").parse().ok();
 for env in get("-env","exponential-code,symmetric").split(',') { for agent in get("-agent","ldp-contextual").split(',') { for eps in get("-e","1,2,4,8,1024").split(',') {
  let data=env.starts_with("data:");
  let world=World::open(env,&WorldOptions{dims:if data{None}else{dims},arms,target_group:group}).unwrap();
  let mut ex=Experiment::new(agent.parse().unwrap(),world,Some(Epsilon::new(eps.parse().unwrap()).unwrap()));
  if !data {ex.users=users;} ex.trials=trials;
  let specs:Vec<SourceSpec>=a.iter().enumerate().filter(|(_,x)|*x=="-src").map(|(i,_)|a[i+1].parse().unwrap()).collect();
  let se=get("-se","");
  if !specs.is_empty()||!se.is_empty(){ ex.sources=ex.world.sources(&specs).unwrap().into_iter().map(|s|{let e=s.epsilon().unwrap_or_else(||Epsilon::new(se.parse().unwrap()).unwrap());(s,e)}).collect();}
  let t=std::time::Instant::now();
  let tr=run_all(&ex,2,&mut Store::in_memory(),&Q).unwrap();
  let s=t.elapsed().as_secs_f64();let o=Outcome::new(&ex,&tr,trials as usize,s).unwrap();
  print!("{env} {agent} eps {eps}:");
  for p in o.curve.iter().filter(|p|p.users==10000||p.users==ex.users/4||p.users==ex.users){print!("  n {} {:.0} ({:.0}) rw {:.4}",p.users,p.regret.mean,p.regret.sd.unwrap_or(0.0),p.mean_reward.mean);}
  println!("  undecided {:.2?} {:.2} s/trial, w {:?}",o.undecided,2.0*s/trials as f64,o.sources.iter().map(|s|s.weight.unwrap_or(-1.0)).collect::<Vec<_>>());
 }}}
}
